package dev.vramscope.postmortem;

import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Variant;
import java.util.List;

/**
 * Replays of a recorded run: as it was, and with changes.
 *
 * @param recorded the replay under the recorded settings
 * @param changed the replays with one change each
 * @param hasRequestsAfter whether the recording goes on after the failure, so that a replay shows
 *     more than whether the request was served
 * @param fidelity how exactly a replay under the recorded settings reproduces the recording
 */
public record ChangedReplays(
    ChangedReplay recorded,
    List<ChangedReplay> changed,
    boolean hasRequestsAfter,
    Fidelity fidelity) {
  public ChangedReplays {
    changed = List.copyOf(changed);
  }

  /** Whether a replay of the whole run reproduces the recording, so that others can be trusted. */
  public boolean isExact() {
    return fidelity.isExact() && fidelity.start() == Fidelity.Start.WHOLE_RUN;
  }

  /** Whether what a replay with a change says is exact. */
  public boolean isExactFor(ChangedReplay replay) {
    ChangedReplay.Change change =
        replay.change() instanceof ChangedReplay.Change.Settings
            ? replay.change()
            : recorded.change();
    return change instanceof ChangedReplay.Change.Settings(String line)
        && fidelity.isExactFor(new Variant.Caching(line));
  }

  /** The number of changes with which the failed request was served. */
  public long passedCount() {
    return changed.stream().filter(ChangedReplay::passesFailure).count();
  }
}
