package dev.vramscope.live;

import java.util.Optional;

/** The stored snapshot of an incident, or why there is none. */
public sealed interface Evidence {
  /**
   * The state at the incident is stored.
   *
   * @param snapshot its id in the store
   */
  record Stored(String snapshot) implements Evidence {}

  /**
   * So many incidents come that this one was only counted.
   *
   * @param count incidents only counted since a snapshot was last taken, this one included
   * @param latest the snapshot stored last, unless it is only being stored
   */
  record Counted(long count, Optional<String> latest) implements Evidence {}

  /**
   * The snapshot could not be stored.
   *
   * @param reason what the store or the card said
   */
  record Unavailable(String reason) implements Evidence {}
}
