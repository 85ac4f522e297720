package dev.vramscope.live;

import java.util.Optional;

/** The stored snapshot of an incident, or why there is none. */
public sealed interface FailureSnapshot {
  /**
   * The state at the incident is stored.
   *
   * @param snapshot its id in the store
   * @param oomCount failed requests in its trace; the last is the incident, if it is one
   */
  record Stored(String snapshot, int oomCount) implements FailureSnapshot {}

  /**
   * So many incidents come that this one was only counted.
   *
   * @param count incidents only counted since a snapshot was taken, this one included
   * @param latest that snapshot, unless it is only being stored or could not be
   */
  record Counted(long count, Optional<Stored> latest) implements FailureSnapshot {}

  /**
   * The snapshot could not be stored.
   *
   * @param reason what the store said
   */
  record Unavailable(String reason) implements FailureSnapshot {}
}
