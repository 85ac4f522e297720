package dev.vramscope.whatif.replays;

import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.RecordedRun;
import java.util.function.Supplier;

/**
 * A recorded run, to be replayed. What takes long is computed only if no earlier replay has the
 * result.
 *
 * @param hasSteps whether the run has steps, at which the cache can be emptied
 * @param isComparable whether a replay under the recorded settings shows how exact replays are
 * @param run the decoded requests, with these steps
 * @param fidelity how exactly a replay under the recorded settings reproduces the recording
 */
public record ReplayableRun(
    boolean hasSteps,
    boolean isComparable,
    Supplier<RecordedRun> run,
    Supplier<Fidelity> fidelity) {}
