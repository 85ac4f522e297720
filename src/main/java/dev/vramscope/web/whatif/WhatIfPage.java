package dev.vramscope.web.whatif;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.postmortem.SettingsToTry;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Requesters;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.Tab;
import dev.vramscope.whatif.replays.ReplaysBusyException;
import dev.vramscope.whatif.replays.SettingsRefusedException;
import dev.vramscope.whatif.replays.WhatIfJob;
import dev.vramscope.whatif.replays.WhatIfJobs;
import dev.vramscope.whatif.replays.WhatIfPlan;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The recording under other settings. Opening the page starts the replays that are not stored yet;
 * a script fetches the rows as they finish, and without one the page reloads itself.
 */
@Controller
class WhatIfPage {
  private final SnapshotFrame frame;
  private final SnapshotCache snapshots;
  private final WhatIfJobs jobs;
  private final ProblemAdvice advice;

  WhatIfPage(SnapshotFrame frame, SnapshotCache snapshots, WhatIfJobs jobs, ProblemAdvice advice) {
    this.frame = frame;
    this.snapshots = snapshots;
    this.jobs = jobs;
    this.advice = advice;
  }

  @GetMapping("/snapshots/{id}/whatif")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      WhatIfForm form,
      Model model,
      HttpServletResponse response) {
    DeviceInspection inspection = frame.show(id, device, Tab.WHATIF, model);
    model.addAttribute("form", form);
    boolean isOfPool = inspection.replays().isOfPool();
    model.addAttribute("isOfPool", isOfPool);
    model.addAttribute(
        "allocators", isOfPool ? WhatIfForm.POOL_FAMILIES : AllocatorFamily.replayable());
    if (inspection.hasEvents()) {
      addRows(id, inspection, form, model, response);
    }
    return "whatif";
  }

  /** The part of the page that a script fetches while replays run. */
  @GetMapping("/snapshots/{id}/whatif/rows")
  String rows(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      WhatIfForm form,
      Model model,
      HttpServletResponse response) {
    DeviceInspection inspection = frame.show(id, device, Tab.WHATIF, model);
    ReplayInput.requireTrace(inspection);
    model.addAttribute("form", form);
    addRows(id, inspection, form, model, response);
    return model.containsAttribute("job") ? "whatif :: rows" : "whatif :: notice";
  }

  @PostMapping("/snapshots/{id}/whatif/cancel")
  String cancel(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam String job,
      WhatIfForm form) {
    jobs.find(id, job).ifPresent(WhatIfJob::cancel);
    return "redirect:"
        + form.url(
            path(id), ChosenDevice.allocatorOfGpu(snapshots.get(id), device), /* runs= */ false);
  }

  private void addRows(
      String id,
      DeviceInspection device,
      WhatIfForm form,
      Model model,
      HttpServletResponse response) {
    try {
      WhatIfPlan plan = form.plan(id, device);
      WhatIfJob job = form.mayRun() ? jobs.start(plan, client()) : jobs.jobOf(plan, client());
      // Asked before the rows: of a job that has ended, each row is there.
      boolean isRunning = form.mayRun() && job.isRunning();
      WhatIfTable table =
          WhatIfTable.of(
              job,
              device.family().isCaching() || device.replays().pool().isPresent(),
              line ->
                  SettingsToTry.neededRelease(line, device.snapshot(), device.device().facts()));
      model.addAttribute("job", job);
      model.addAttribute("isRunning", isRunning);
      model.addAttribute("table", table);
      model.addAttribute("rows", form.isSearch() ? table.best() : table.rows());
      model.addAttribute("chart", WhatIfChart.of(table));
      model.addAttribute("size", plan.size());
      model.addAttribute("replayDevice", form.replayDevice(device));
      model.addAttribute("rowsUrl", form.url(path(id) + "/rows", device, form.mayRun()));
      model.addAttribute("runUrl", form.url(path(id), device, /* runs= */ true));
    } catch (RefusedRequestException | SettingsRefusedException | ReplaysBusyException refused) {
      advice.show(refused, model, response);
    }
  }

  private static String client() {
    return Requesters.current().client();
  }

  private static String path(String id) {
    return "/snapshots/" + id + "/whatif";
  }
}
