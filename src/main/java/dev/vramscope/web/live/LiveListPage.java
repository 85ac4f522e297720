package dev.vramscope.web.live;

import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.live.AllocatorKind;
import dev.vramscope.live.DeviceChoice;
import dev.vramscope.live.Devices;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedAllocators;
import dev.vramscope.live.HostingRefusedException;
import dev.vramscope.live.HostingRequest;
import dev.vramscope.live.workload.RunHistory;
import dev.vramscope.model.ByteSize;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.display.DisplayFormat;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.snapshot.ReplayLink;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The hosted allocators, and the form that hosts one. */
@Controller
class LiveListPage {
  private static final int MAX_NAME_LENGTH = 200;
  private static final List<String> SIMULATED_SIZES =
      List.of("1GiB", "8GiB", "16GiB", "24GiB", "80GiB", "141GiB");

  private final HostedAllocators allocators;
  private final Devices devices;
  private final SnapshotStore store;
  private final RunHistory history;
  private final IncidentViews incidents;

  LiveListPage(
      HostedAllocators allocators,
      Devices devices,
      SnapshotStore store,
      RunHistory history,
      IncidentViews incidents) {
    this.allocators = allocators;
    this.devices = devices;
    this.store = store;
    this.history = history;
    this.incidents = incidents;
  }

  /** An option of the device field. */
  record Choice(String device, String text) {}

  /**
   * The content of the form.
   *
   * @param invalidField the rejected field, or null
   * @param problem the error message, or null
   * @param next what the user can do, or null
   */
  record Form(
      String name,
      String device,
      String kind,
      String settings,
      @Nullable String invalidField,
      @Nullable String problem,
      @Nullable String next) {
    static final Form EMPTY = new Form("", "sim:16GiB", "caching", "", null, null, null);

    Form rejected(String field, String message, String remedy) {
      return new Form(name, device, kind, settings, field, message, remedy);
    }

    /** Whether this field was rejected. */
    public boolean isInvalid(String field) {
      return field.equals(invalidField);
    }
  }

  @GetMapping("/live")
  String list(
      @RequestParam(defaultValue = "") String device,
      @RequestParam(defaultValue = "") String kind,
      @RequestParam(defaultValue = "") String settings,
      @RequestParam @Nullable String replay,
      Model model) {
    Form empty = Form.EMPTY;
    StoredSnapshot replayed = replay == null ? null : store.get(replay).orElse(null);
    Form form =
        new Form(
            "",
            device.isBlank() ? defaultDevice(replayed) : device,
            kind.isBlank() ? empty.kind : kind,
            settings,
            null,
            null,
            null);
    model.addAttribute("replay", replayed);
    return show(form, model);
  }

  /** A simulated device on which the snapshot's segments fit. */
  private static String defaultDevice(@Nullable StoredSnapshot replayed) {
    if (replayed == null) {
      return Form.EMPTY.device;
    }
    return SIMULATED_SIZES.stream()
        .filter(size -> ByteSize.parse(size) >= replayed.reservedBytes())
        .findFirst()
        .map(size -> "sim:" + size)
        .orElse(Form.EMPTY.device);
  }

  @PostMapping("/live")
  String host(
      @RequestParam(defaultValue = "") String name,
      @RequestParam(defaultValue = "") String device,
      @RequestParam(defaultValue = "") String kind,
      @RequestParam(defaultValue = "") String settings,
      @RequestParam @Nullable String replay,
      Model model,
      HttpServletResponse response) {
    Form form = new Form(name, device, kind, settings, null, null, null);
    try {
      long id = allocators.create(request(form)).id();
      return replay == null || replay.isBlank()
          ? "redirect:/live/" + id
          : "redirect:" + ReplayLink.on(id, ReplayChoices.idOf(replay));
    } catch (HostingRefusedException refused) {
      form = form.rejected(refused.where(), String.valueOf(refused.getMessage()), refused.next());
    } catch (ConfigurationException invalid) {
      form =
          form.rejected(
              "settings",
              String.valueOf(invalid.getMessage()),
              "This is PyTorch's message for the same PYTORCH_CUDA_ALLOC_CONF.");
    }
    ProblemAdvice.showAgain(response);
    model.addAttribute("replay", replay == null ? null : store.get(replay).orElse(null));
    return show(form, model);
  }

  private static HostingRequest request(Form form) {
    AllocatorKind kind = AllocatorKind.of(form.kind);
    DeviceChoice device = DeviceChoice.parse(form.device);
    String name = form.name.isBlank() ? kind.id() + " on " + device : form.name.strip();
    if (name.length() > MAX_NAME_LENGTH) {
      name = name.substring(0, MAX_NAME_LENGTH);
    }
    return new HostingRequest(name, device, kind, form.settings.strip(), HistorySettings.all());
  }

  private String show(Form form, Model model) {
    DevicesView devicesView = DevicesView.of(devices.driver(), devices.maxSimulatedBytes());
    Set<Long> hosted =
        allocators.list().stream().map(HostedAllocator::id).collect(Collectors.toSet());
    model.addAttribute(
        "runs",
        history.latest().stream()
            .filter(run -> !run.isRunning())
            .map(
                run ->
                    EndedRunView.of(
                        run, hosted.contains(run.host().allocator()), incidents::exists))
            .toList());
    model.addAttribute("runsProblem", history.problem());
    model.addAttribute("rows", allocators.list().stream().map(HostedAllocatorRow::of).toList());
    model.addAttribute("form", form);
    model.addAttribute("devices", devicesView);
    model.addAttribute("choices", choices(devicesView, form.device));
    model.addAttribute("kinds", AllocatorKind.values());
    return "live";
  }

  private static List<Choice> choices(DevicesView devicesView, String selection) {
    DisplayFormat format = new DisplayFormat();
    List<Choice> choices = new ArrayList<>();
    for (DevicesView.Gpu gpu : devicesView.gpus()) {
      choices.add(
          new Choice(
              gpu.device(), gpu.device() + ": " + gpu.name() + ", " + format.bytes(gpu.bytes())));
    }
    for (String size : SIMULATED_SIZES) {
      choices.add(new Choice("sim:" + size, "Simulated device, " + size.replace("GiB", " GiB")));
    }
    if (choices.stream().noneMatch(choice -> choice.device.equals(selection))) {
      choices.add(new Choice(selection, selection));
    }
    return choices;
  }
}
