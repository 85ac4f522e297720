package dev.vramscope.live;

import java.util.Optional;

/** The stored snapshot of an incident, or the reason why none was stored. */
public sealed interface FailureSnapshot {
  /**
   * The state at the time of the incident is stored.
   *
   * @param snapshot its id in the store
   * @param position the failed request in its trace; empty if the device failed, or if events are
   *     not recorded
   */
  record Stored(String snapshot, Optional<TracePosition> position) implements FailureSnapshot {}

  /**
   * Not stored because another snapshot was stored too recently.
   *
   * @param inTrace the failed request in the trace of another snapshot, if one contains it
   */
  record Limited(Optional<TracePosition> inTrace) implements FailureSnapshot {}

  /**
   * The snapshot could not be stored.
   *
   * @param reason the message of the store
   * @param inTrace the failed request in the trace of another snapshot, if one contains it
   */
  record Unavailable(String reason, Optional<TracePosition> inTrace) implements FailureSnapshot {}

  /** The failed request in the trace of a stored snapshot, this incident's or another. */
  default Optional<TracePosition> tracePosition() {
    return switch (this) {
      case Stored stored -> stored.position();
      case Limited limited -> limited.inTrace();
      case Unavailable unavailable -> unavailable.inTrace();
    };
  }
}
