package dev.vramscope.live;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.recorder.Recorder;
import java.time.Instant;
import java.util.Optional;

/** A failure of a hosted allocator. */
public sealed interface Incident {
  Instant at();

  /** The message of the allocator or of the driver. */
  String text();

  FailureSnapshot snapshot();

  /** The originator of the failed request. */
  RequestSource source();

  /**
   * A request ran out of memory; the allocator remains usable.
   *
   * @param event the number of its event in the recorded history, or {@link Recorder#NO_EVENT}
   * @param failure the exception that the caller received
   */
  record OutOfMemory(
      Instant at,
      RequestSource source,
      long event,
      OutOfDeviceMemoryException failure,
      FailureSnapshot snapshot)
      implements Incident {
    @Override
    public String text() {
      return FailureMessage.of(failure);
    }

    /** The same incident after a snapshot was stored whose trace may contain it. */
    OutOfMemory with(StoredTrace trace) {
      Optional<TracePosition> position = trace.positionOf(event);
      return position.isEmpty() || snapshot.tracePosition().isPresent()
          ? this
          : new OutOfMemory(at, source, event, failure, located(position));
    }

    private FailureSnapshot located(Optional<TracePosition> position) {
      return switch (snapshot) {
        case FailureSnapshot.Stored stored -> stored;
        case FailureSnapshot.Limited _ -> new FailureSnapshot.Limited(position);
        case FailureSnapshot.Unavailable(String reason, var _) ->
            new FailureSnapshot.Unavailable(reason, position);
      };
    }
  }

  /** The device failed; it may be lost. */
  record Fault(Instant at, RequestSource source, String text, FailureSnapshot snapshot)
      implements Incident {}
}
