package dev.vramscope.web.live;

import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedAllocators;
import dev.vramscope.live.latency.LatencyMeasurement;
import dev.vramscope.live.latency.LatencyMeasurements;
import dev.vramscope.live.latency.LatencyProgress;
import dev.vramscope.live.workload.Workloads;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** Latency of driver calls compared with cached calls. */
@Controller
class LatencyPage {
  private final HostedAllocators allocators;
  private final Workloads workloads;
  private final LatencyMeasurements measurements;

  LatencyPage(HostedAllocators allocators, Workloads workloads, LatencyMeasurements measurements) {
    this.allocators = allocators;
    this.workloads = workloads;
    this.measurements = measurements;
  }

  @GetMapping("/live/{id}/latency")
  String show(@PathVariable long id, Model model) {
    fill(id, model);
    return "latency";
  }

  /** The part of the page that changes during a measurement. */
  @GetMapping("/live/{id}/latency/status")
  String status(@PathVariable long id, Model model) {
    fill(id, model);
    return "latency :: report";
  }

  @PostMapping("/live/{id}/latency")
  String start(@PathVariable long id) {
    measurements.start(allocators.find(id));
    return "redirect:/live/" + id + "/latency";
  }

  private void fill(long id, Model model) {
    HostedAllocator hosted = allocators.find(id);
    LatencyProgress progress =
        measurements.find(hosted).map(LatencyMeasurement::progress).orElse(null);
    model.addAttribute("hosted", hosted);
    model.addAttribute("progress", progress);
    model.addAttribute(
        "busy",
        workloads.runs(hosted).stream().anyMatch(run -> run.progress().state().isRunning()));
    if (progress != null && progress.report() != null) {
      model.addAttribute("report", progress.report());
      model.addAttribute("chart", LatencyChart.of(progress.report()));
    }
  }
}
