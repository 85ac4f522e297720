package dev.vramscope.web.whatif;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.whatif.Variant;
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
    static Row of(
        String settings, Variant variant, WhatIfResult result, @Nullable FidelityView fidelity) {
      if (!result.isKnown()) {
        return new Row(
            settings, null, null, null, null, null, null, null, null, null, result.problem());
      }
      return new Row(
          settings,
          result.fits(),
          result.failsAtEvent(),
          result.ooms(),
          result.peakReservedBytes(),
          result.peakAllocatedBytes(),
          result.driverAllocations(),
          result.driverFrees(),
          result.retries(),
          fidelity == null ? null : !fidelity.isExactFor(settings, variant),
          null);
    }
  }

  static WhatIfView of(WhatIfJob job) {
    WhatIfPlan plan = job.plan();
    List<Row> rows = new ArrayList<>();
    int percent = 0;
    for (int row = 0; row < plan.rows().size(); row++) {
      WhatIfResult result = job.result(row);
      percent += result == null ? job.percent(row) : 100;
      if (result != null) {
        rows.add(
            Row.of(
                plan.rows().get(row).name(),
                plan.rows().get(row).variant(),
                result,
                job.fidelity()));
      }
    }
    return new WhatIfView(
        job.state(),
        WhatIfApi.url(job),
        plan.device(),
        plan.size().totalBytes().isPresent() ? plan.size().totalBytes().getAsLong() : null,
        plan.size().othersBytes(),
        plan.rows().getFirst().variant().family(),
        job.fidelity(),
        new Progress(rows.size(), plan.rows().size(), percent / plan.rows().size()),
        rows);
  }
}
