package dev.vramscope.live;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import java.time.Instant;

/** Something that went wrong in a hosted allocator. */
public sealed interface Incident {
  Instant at();

  /** What went wrong, in the allocator's or the driver's words. */
  String text();

  FailureSnapshot snapshot();

  /**
   * A request failed; the allocator goes on.
   *
   * @param failure what its caller got
   */
  record OutOfMemory(Instant at, OutOfDeviceMemoryException failure, FailureSnapshot snapshot)
      implements Incident {
    @Override
    public String text() {
      return String.valueOf(failure.getMessage());
    }
  }

  /** The card failed, and may be lost. */
  record Fault(Instant at, String text, FailureSnapshot snapshot) implements Incident {}
}
