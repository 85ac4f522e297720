package dev.vramscope.live;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.model.ByteText;

/** The text that describes a failure to users. */
public final class FailureMessage {
  private static final String INTERNAL = "internal error; the server log has the details";

  private FailureMessage() {}

  /** Returns the message of the failure, or a general text if it has none. */
  public static String of(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? INTERNAL : message;
  }

  /**
   * Returns the allocator's message. PyTorch's contains the size of the segment that could not be
   * acquired; the requested size is added where it is another.
   */
  public static String of(OutOfDeviceMemoryException failure) {
    String message = of((Throwable) failure);
    String requested = ByteText.of(failure.requestedBytes());
    int end = message.indexOf(". GPU ");
    return end < 0 || ByteText.of(failure.triedBytes()).equals(requested)
        ? message
        : message.substring(0, end)
            + " (the segment for a request of "
            + requested
            + ")"
            + message.substring(end);
  }
}
