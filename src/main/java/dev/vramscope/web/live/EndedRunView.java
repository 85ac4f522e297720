package dev.vramscope.web.live;

import dev.vramscope.live.TracePosition;
import dev.vramscope.live.workload.EndedRun;
import dev.vramscope.live.workload.Mismatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An earlier run in a table row.
 *
 * @param allocatorPage URL of its allocator, or null if it is no longer hosted
 * @param result whether the replayed job fits, or null
 * @param race explanation of the first mismatch, or null
 * @param postMortem URL of the failed request that ended the run, or null
 */
record EndedRunView(
    EndedRun run,
    @Nullable String allocatorPage,
    @Nullable String result,
    @Nullable String race,
    @Nullable String postMortem) {
  static EndedRunView of(EndedRun run, boolean isHosted, Predicate<String> exists) {
    TracePosition position = run.postMortem();
    Mismatch mismatch = run.counts().firstMismatch();
    return new EndedRunView(
        run,
        isHosted ? "/live/" + run.host().allocator() : null,
        run.fits() != null
            ? RunView.verdict(run.fits())
            : run.doesNotFit() != null ? RunView.verdict(run.doesNotFit()) : null,
        mismatch == null ? null : RunView.race(mismatch),
        position != null && exists.test(position.snapshot())
            ? "/snapshots/" + position.snapshot() + "/oom?n=" + position.oom()
            : null);
  }
}
