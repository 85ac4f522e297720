package dev.vramscope.live;

import java.util.Optional;

/** The stored snapshot of an incident, or the reason why none was stored. */
public sealed interface FailureSnapshot {
  /**
   * The state at the time of the incident is stored.
   *
   * @param snapshot its id in the store
   * @param oomCount failed requests in its trace; if the incident is a failed request, it is the
   *     last of them
   */
  record Stored(String snapshot, int oomCount) implements FailureSnapshot {}

  /**
   * Not stored because the previous snapshot was stored too recently.
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
