package dev.vramscope.live;

import java.util.Optional;

/** The stored snapshot of an incident, or the reason why there is none. */
public sealed interface FailureSnapshot {
  /**
   * The state at the time of the incident is stored.
   *
   * @param snapshot its id in the store
   * @param oomCount failed requests in its trace; the last one is the incident if that is a failed
   *     request
   */
  record Stored(String snapshot, int oomCount) implements FailureSnapshot {}

  /**
   * Incidents were too frequent, so that this one was only counted.
   *
   * @param count incidents without a snapshot since the latest snapshot, including this one
   * @param latest the latest snapshot, unless it is still being stored or could not be stored
   */
  record Counted(long count, Optional<Stored> latest) implements FailureSnapshot {}

  /**
   * The snapshot could not be stored.
   *
   * @param reason the message of the store
   */
  record Unavailable(String reason) implements FailureSnapshot {}
}
