package dev.vramscope.web.whatif;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.replays.WhatIfJob;
import dev.vramscope.whatif.replays.WhatIfPlan;
import dev.vramscope.whatif.replays.WhatIfRow;
import dev.vramscope.whatif.replays.WhatIfSettings;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A what-if job for clients.
 *
 * @param state running, done or cancelled
 * @param url where its progress and result are
 * @param totalBytes memory of the simulated device; null if it is unlimited
 * @param othersBytes of it, used outside the allocator
 * @param fidelity null as long as it is not known, and for recordings of other allocators
 * @param progress of the rows
 * @param rows those with a result, in the order of the request
 */
record WhatIfView(
    WhatIfJob.State state,
    String url,
    int device,
    @Nullable Long totalBytes,
    long othersBytes,
    AllocatorFamily allocator,
    @Nullable FidelityView fidelity,
    Progress progress,
    List<Row> rows) {
  /**
   * How far a job is.
   *
   * @param finishedRows rows with a result
   * @param rows all rows
   * @param percent operations that were replayed, of all rows together
   */
  record Progress(int finishedRows, int rows, int percent) {}

  /**
   * The result of one replay.
   *
   * @param settings as in the request
   * @param estimated whether the numbers could be others, since the replay does not repeat the
   *     whole recording exactly; null if that is not known
   * @param problem why there is no result; the numbers are null then
   */
  @Schema(name = "WhatIfRow")
  record Row(
      String settings,
      @Nullable Boolean fits,
      @Nullable Integer failsAtEvent,
      @Nullable Long ooms,
      @Nullable Long peakReservedBytes,
      @Nullable Long peakAllocatedBytes,
      @Nullable Long driverAllocations,
      @Nullable Long driverFrees,
      @Nullable Long retries,
      @Nullable Boolean estimated,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String problem) {
    static Row refused(String settings, String reason) {
      return new Row(settings, null, null, null, null, null, null, null, null, null, reason);
    }

    static Row of(String settings, Outcome outcome, @Nullable Boolean estimated) {
      return new Row(
          settings,
          outcome.fits(),
          outcome.failsAtEvent().isPresent() ? outcome.failsAtEvent().getAsInt() : null,
          outcome.ooms(),
          outcome.peakReservedBytes(),
          outcome.peakAllocatedBytes(),
          outcome.driverAllocations(),
          outcome.driverFrees(),
          outcome.retries(),
          estimated,
          null);
    }
  }

  static WhatIfView of(WhatIfJob job) {
    WhatIfPlan plan = job.plan();
    List<Row> rows = new ArrayList<>();
    int percent = 0;
    // Asked before the rows: of a job that has ended, each row is there.
    WhatIfJob.State state = job.state();
    List<WhatIfRow> replays = job.rows();
    Fidelity fidelity = job.fidelity();
    for (int i = 0; i < replays.size(); i++) {
      WhatIfSettings settings = plan.rows().get(i);
      switch (replays.get(i)) {
        case WhatIfRow.Waiting _ -> {}
        case WhatIfRow.Running running -> percent += running.percent();
        case WhatIfRow.Replayed replayed ->
            rows.add(
                Row.of(
                    settings.name(),
                    replayed.outcome(),
                    fidelity == null ? null : isEstimated(settings, fidelity)));
        case WhatIfRow.Refused refused -> rows.add(Row.refused(settings.name(), refused.reason()));
      }
    }
    percent += 100 * rows.size();
    return new WhatIfView(
        state,
        WhatIfApi.url(job),
        plan.device(),
        plan.size().totalBytes().isPresent() ? plan.size().totalBytes().getAsLong() : null,
        plan.size().othersBytes(),
        plan.rows().getFirst().variant().family(),
        fidelity == null ? null : FidelityView.of(fidelity),
        new Progress(rows.size(), plan.rows().size(), percent / plan.rows().size()),
        rows);
  }

  /**
   * Whether the numbers are estimates: if a recording begins in mid-run, a replay is exact only
   * under its own settings.
   */
  static boolean isEstimated(WhatIfSettings settings, Fidelity fidelity) {
    return !fidelity.isExactFor(settings.variant())
        && !(fidelity.isContinued() && settings.isRecorded());
  }
}
