package dev.vramscope.web.live;

import dev.vramscope.allocator.pinned.PinnedStatistics;
import dev.vramscope.device.DeviceException;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedAllocators;
import dev.vramscope.live.HostedState;
import dev.vramscope.live.HostingRefusedException;
import dev.vramscope.live.workload.InvalidWorkloadException;
import dev.vramscope.live.workload.WorkloadKind;
import dev.vramscope.live.workload.Workloads;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.problem.RefusedRequestException;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * One hosted allocator. The page is complete without script; a script adds the live chart and
 * periodically fetches the part that {@link #status} renders.
 */
@Controller
class LiveAllocatorPage {
  /** Failures on the page; the first {@link #SHOWN_INCIDENTS} are visible without expanding. */
  private static final int INCIDENTS = 10;

  private static final int SHOWN_INCIDENTS = 3;

  private final HostedAllocators allocators;
  private final Workloads workloads;
  private final IncidentViews incidents;
  private final ReplayChoices replays;

  LiveAllocatorPage(
      HostedAllocators allocators,
      Workloads workloads,
      IncidentViews incidents,
      ReplayChoices replays) {
    this.allocators = allocators;
    this.workloads = workloads;
    this.incidents = incidents;
    this.replays = replays;
  }

  @GetMapping("/live/{id}")
  String show(
      @PathVariable long id,
      @RequestParam(defaultValue = "training-varying") String workload,
      @RequestParam @Nullable String snapshot,
      Model model) {
    return page(
        allocators.find(id), WorkloadForm.defaults(workload, replays.valueOf(snapshot)), model);
  }

  /** The tables of the page, which a script refreshes. */
  @GetMapping("/live/{id}/status")
  String status(@PathVariable long id, Model model) {
    fill(allocators.find(id), model);
    return "live-status :: status";
  }

  @PostMapping("/live/{id}/snapshot")
  String takeSnapshot(@PathVariable long id) {
    return "redirect:/snapshots/" + allocators.find(id).storeSnapshot("snapshot");
  }

  @PostMapping("/live/{id}/empty-cache")
  String emptyCache(@PathVariable long id) {
    allocators.find(id).allocator().emptyCache();
    return "redirect:/live/" + id;
  }

  @PostMapping("/live/{id}/close")
  String close(@PathVariable long id) {
    allocators.close(id);
    return "redirect:/live";
  }

  @PostMapping("/live/{id}/workloads")
  String start(
      @PathVariable long id, WorkloadForm form, Model model, HttpServletResponse response) {
    HostedAllocator hosted = allocators.find(id);
    try {
      workloads.start(hosted, form.request());
      return "redirect:/live/" + id;
    } catch (HostingRefusedException refused) {
      form = form.rejected(refused.getMessage() + ". " + refused.next());
    } catch (InvalidWorkloadException invalid) {
      form = form.rejected(String.valueOf(invalid.getMessage()));
    }
    ProblemAdvice.showAgain(response);
    return page(hosted, form, model);
  }

  @PostMapping("/live/{id}/workloads/{run}/stop")
  String stop(@PathVariable long id, @PathVariable long run) {
    workloads
        .find(allocators.find(id), run)
        .orElseThrow(
            () ->
                RefusedRequestException.notFound(
                    "Allocator " + id + " has no run " + run,
                    "/live/" + id,
                    "Old runs are removed. The allocator's page lists the latest runs."))
        .stop();
    return "redirect:/live/" + id;
  }

  private String page(HostedAllocator hosted, WorkloadForm form, Model model) {
    fill(hosted, model);
    try {
      model.addAttribute("ledger", LiveLedger.of(hosted, allocators.driverView(hosted)));
    } catch (DeviceException unavailable) {
      model.addAttribute("noLedger", String.valueOf(unavailable.getMessage()));
    }
    model.addAttribute("form", form);
    model.addAttribute("snapshots", replays.newest());
    model.addAttribute("workloads", WorkloadKind.values());
    return "live-allocator";
  }

  private void fill(HostedAllocator hosted, Model model) {
    List<RunView> runs =
        workloads.runs(hosted).reversed().stream()
            .map(run -> RunView.of(run, hosted, incidents))
            .toList();
    model.addAttribute("hosted", hosted);
    model.addAttribute(
        "lost", hosted.state() instanceof HostedState.Lost(String reason) ? reason : null);
    model.addAttribute("runs", runs);
    PinnedStatistics pinned = hosted.pinned().statistics();
    model.addAttribute("pinned", pinned.allocateTime().count() == 0 ? null : pinned);
    model.addAttribute("incidentCount", hosted.incidentCount());
    List<IncidentView> latest = incidents.latest(hosted, INCIDENTS);
    model.addAttribute("incidents", latest);
    model.addAttribute(
        "hasIncidentWithoutPage", latest.stream().anyMatch(each -> each.page() == null));
    model.addAttribute("shownIncidents", SHOWN_INCIDENTS);
  }
}
