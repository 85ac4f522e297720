package dev.vramscope.live;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import java.time.Instant;

/** A failure of a hosted allocator. */
public sealed interface Incident {
  Instant at();

  /** The message of the allocator or of the driver. */
  String text();

  FailureSnapshot snapshot();

  /**
   * A request ran out of memory; the allocator remains usable.
   *
   * @param failure the exception that the caller received
   */
  record OutOfMemory(Instant at, OutOfDeviceMemoryException failure, FailureSnapshot snapshot)
      implements Incident {
    @Override
    public String text() {
      return String.valueOf(failure.getMessage());
    }
  }

  /** The device failed; it may be lost. */
  record Fault(Instant at, String text, FailureSnapshot snapshot) implements Incident {}
}
