package dev.vramscope.postmortem;

import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Variant;
import java.util.List;
import java.util.Optional;

/**
 * Replays of a recorded run: as it was, and with changes.
 *
 * @param recorded the replay under the recorded settings
 * @param changed the replays with one change each
 * @param hasRequestsAfter whether the recording goes on after the failure, so that a replay shows
 *     more than whether the request was served
 * @param fidelity how exactly a replay under the recorded settings reproduces the recording
 * @param limit the memory limit that the replays have
 * @param unlimited a replay without it, if there is one
 */
public record ChangedReplays(
    ChangedReplay recorded,
    List<ChangedReplay> changed,
    boolean hasRequestsAfter,
    Fidelity fidelity,
    Optional<AllocatorLimit> limit,
    Optional<Unlimited> unlimited) {
  /**
   * The recorded run without its limit, on the whole device.
   *
   * @param peakReservedBytes the most memory that the allocator held
   * @param fits whether no request failed
   * @param isToEndOfStep whether the step in which the request failed goes on to its end
   * @param isScaled whether the sizes of the rest of the step are estimates
   */
  public record Unlimited(
      long peakReservedBytes, boolean fits, boolean isToEndOfStep, boolean isScaled) {}

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
