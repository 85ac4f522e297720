package dev.vramscope.postmortem;

import java.util.List;

/**
 * Replays of a recorded run: as it was, and with changes.
 *
 * @param recorded the replay under the recorded settings
 * @param changed the replays with one change each
 * @param hasRequestsAfter whether the recording goes on after the failure, so that a replay shows
 *     more than whether the request was served
 * @param isExact whether the replay under the recorded settings reproduced the recording exactly
 */
public record Tries(
    Tried recorded, List<Tried> changed, boolean hasRequestsAfter, boolean isExact) {
  public Tries {
    changed = List.copyOf(changed);
  }

  /** The number of changes with which the failed request was served. */
  long passedCount() {
    return changed.stream().filter(Tried::passesFailure).count();
  }
}
