package dev.vramscope.web;

import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedAllocators;
import dev.vramscope.live.cost.CostMeasurement;
import dev.vramscope.live.cost.CostMeasurements;
import dev.vramscope.live.cost.CostProgress;
import dev.vramscope.live.workload.Workloads;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** Latency of driver calls compared with cached calls. */
@Controller
class CostsPage {
  private final HostedAllocators allocators;
  private final Workloads workloads;
  private final CostMeasurements costs;

  CostsPage(HostedAllocators allocators, Workloads workloads, CostMeasurements costs) {
    this.allocators = allocators;
    this.workloads = workloads;
    this.costs = costs;
  }

  @GetMapping("/live/{id}/costs")
  String show(@PathVariable long id, Model model) {
    fill(id, model);
    return "costs";
  }

  /** The part of the page that changes during a measurement. */
  @GetMapping("/live/{id}/costs/status")
  String status(@PathVariable long id, Model model) {
    fill(id, model);
    return "costs :: report";
  }

  @PostMapping("/live/{id}/costs")
  String start(@PathVariable long id) {
    costs.start(allocators.find(id));
    return "redirect:/live/" + id + "/costs";
  }

  private void fill(long id, Model model) {
    HostedAllocator hosted = allocators.find(id);
    CostProgress progress = costs.find(hosted).map(CostMeasurement::progress).orElse(null);
    model.addAttribute("hosted", hosted);
    model.addAttribute("progress", progress);
    model.addAttribute(
        "busy",
        workloads.runs(hosted).stream().anyMatch(run -> run.progress().state().isRunning()));
    if (progress != null && progress.report() != null) {
      model.addAttribute("report", progress.report());
      model.addAttribute("chart", CostChart.of(progress.report()));
    }
  }
}
