package dev.vramscope.web.snapshot;

import dev.vramscope.analysis.MissingData;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.postmortem.explanation.Explanation;
import dev.vramscope.postmortem.explanation.HealthyRun;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.problem.RefusedRequestException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;

/** The common part of every page of a snapshot: name, tags, tabs, devices and missing data. */
@Component
public final class SnapshotFrame {
  private static final DisplayFormat FORMAT = new DisplayFormat();

  /**
   * The model attribute {@code page}.
   *
   * @param view what the tabs carry to the other pages
   */
  record Page(
      StoredSnapshot stored,
      SnapshotInspection loaded,
      DeviceInspection device,
      Tab tab,
      ViewParameters view) {
    /** The pages of the snapshot that exist for this device. */
    public List<Tab> tabs() {
      return Arrays.stream(Tab.values()).filter(each -> each.isOf(device.device())).toList();
    }

    /** The title of a page, in the words of this device's allocator. */
    public String title(Tab each) {
      return each == Tab.SEGMENTS ? words().segments() : each.title();
    }

    /** What this device's memory is called. */
    public MemoryWords words() {
      return MemoryWords.of(device.device());
    }

    /** The devices that have this page. */
    public List<DeviceInspection> devices() {
      return tab.isOfHost() ? loaded.parts() : loaded.devices();
    }

    /** A device as a choice: such as {@code 0: 3 GiB reserved, OOM}. */
    public String deviceText(DeviceInspection each) {
      DeviceSnapshot snapshot = each.device();
      String name =
          snapshot.isPinnedHost()
              ? "pinned host memory"
              : snapshot.facts().profiledDevice().orElse(String.valueOf(each.ordinal()));
      String bytes = ": " + FORMAT.bytes(snapshot.reservedBytes());
      String held =
          snapshot.kind().hasSegments()
              ? bytes + " reserved"
              : snapshot.kind().hasAddresses() ? "" : bytes + " live";
      return name + held + (snapshot.failedRequestCount() == 0 ? "" : ", OOM");
    }

    /** The URL of another page of this snapshot, such as {@code /oom}, for the same device. */
    public String url(String path) {
      return links().page(path);
    }

    /** The URL of another page, with what this one shows. */
    public String carried(String url) {
      return view.on(url);
    }

    public SnapshotLinks links() {
      return new SnapshotLinks(
          stored.id(),
          loaded.parts().size() > 1 ? OptionalInt.of(device.ordinal()) : OptionalInt.empty());
    }

    /** The form that replays the trace, filled in with what the snapshot has recorded. */
    public String replayUrl() {
      return ReplayLink.of(stored.id(), loaded.snapshot(), device.device());
    }

    public String api() {
      return "/api/v1/snapshots/" + stored.id();
    }

    /** The frame that names the allocation site of a stack, or null. */
    public @Nullable FrameView site(int stack) {
      return FrameView.ofSite(loaded.stacks(), stack);
    }

    /** What users have attached about the device. */
    public List<EvidenceView> evidence() {
      return EvidenceView.of(device.evidence());
    }

    public MissingData missingData() {
      return device.missingData();
    }

    /** CSS class of the banner: the highest severity of its findings. */
    public String severity() {
      return missingData().findings().stream()
          .findFirst()
          .map(Finding::severity)
          .map(severity -> severity.name().toLowerCase(Locale.ROOT))
          .orElse("info");
    }
  }

  private final SnapshotStore store;
  private final SnapshotCache snapshots;
  private final FailureAnswers answers;

  /** A proxy of the request that the calling thread handles. */
  private final HttpServletRequest request;

  SnapshotFrame(
      SnapshotStore store,
      SnapshotCache snapshots,
      FailureAnswers answers,
      HttpServletRequest request) {
    this.store = store;
    this.snapshots = snapshots;
    this.answers = answers;
    this.request = request;
  }

  /** Whether a snapshot has a page. */
  public boolean has(String id, @Nullable Integer device, Tab tab) {
    return tab.isOf(chosen(snapshots.get(id), device, tab).device());
  }

  private static DeviceInspection chosen(
      SnapshotInspection loaded, @Nullable Integer device, Tab tab) {
    return tab.isOfHost()
        ? ChosenDevice.of(loaded, device)
        : ChosenDevice.ofGpu(loaded, gpu(device, tab));
  }

  /** Loads the snapshot and adds the frame to the model. */
  public DeviceInspection show(String id, @Nullable Integer device, Tab tab, Model model) {
    StoredSnapshot stored = store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
    SnapshotInspection loaded = snapshots.get(id);
    DeviceInspection inspection = chosen(loaded, device, tab);
    if (!tab.isOf(inspection.device())) {
      throw RefusedRequestException.notOf(inspection.device(), "/snapshots/" + id + Tab.OOM.path());
    }
    model.addAttribute(
        "page", new Page(stored, loaded, inspection, tab, ViewParameters.of(request, inspection)));
    model.addAttribute("isXla", loaded.snapshot().isOfXla());
    return inspection;
  }

  /** The page of what is stored and no snapshot: a log or a compiled program. */
  public Optional<String> otherPage(String id) {
    return store.get(id).filter(stored -> !stored.isSnapshot()).map(StoredSnapshot::path);
  }

  /** The overview of pinned host memory is that of the snapshot. */
  private static @Nullable Integer gpu(@Nullable Integer device, Tab tab) {
    boolean isOfSnapshot =
        tab == Tab.OVERVIEW && device != null && device == DeviceSnapshot.PINNED_HOST;
    return isOfSnapshot ? null : device;
  }

  /** Selects an allocation on the pages to which the tabs of the page that was added lead. */
  public void select(int allocation, Model model) {
    Page page = shown(model);
    ViewParameters view = page.view().withAllocation(allocation);
    model.addAttribute(
        "page", new Page(page.stored(), page.loaded(), page.device(), page.tab(), view));
  }

  /**
   * Adds the explanation of the failure {@code n} of the device that {@link #show} added.
   *
   * @param total the size of the device that was entered
   */
  public void addExplanation(Explanation explanation, int n, @Nullable String total, Model model) {
    Page page = shown(model);
    model.addAttribute("explanation", ExplanationView.of(explanation, page.links(), n));
    model.addAttribute("replaysUrl", page.links().replays(n, total));
    boolean isListed = n == 0 && page.stored().answer() == null;
    if (isListed && !explanation.remedies().isPending()) {
      answers.prepare(page.stored().id());
    }
  }

  /** The page that {@link #show} added. */
  private static Page shown(Model model) {
    if (model.getAttribute("page") instanceof Page page) {
      return page;
    }
    throw new IllegalStateException("No snapshot is shown");
  }

  /**
   * Adds what is known of a device without a recorded failure: how close it came to one, as far as
   * the recording shows it; or that a request failed which the file does not contain.
   *
   * @param effort for replays of the run on smaller devices
   * @param total the size of the device that was entered
   * @return whether it is known how close the device came to a failure
   */
  public boolean addExplanation(
      DeviceInspection device,
      DeviceEvidence evidence,
      ReplayEffort effort,
      @Nullable String total,
      Model model) {
    SnapshotLinks links = shown(model).links();
    model.addAttribute("replaysUrl", links.replays(0, total));
    HealthyRun run = device.failures().healthyRun(evidence, effort);
    if (run != null) {
      model.addAttribute("explanation", ExplanationView.of(run, links));
    } else if (device.device().isFailedRequestUnknown()) {
      model.addAttribute(
          "explanation", ExplanationView.of(device.failures().unrecordedRequest(), links));
    }
    return run != null;
  }
}
