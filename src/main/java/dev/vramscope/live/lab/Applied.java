package dev.vramscope.live.lab;

import java.util.List;

/**
 * What an operation did.
 *
 * @param address of the block; {@link #NO_ADDRESS} if there is none
 * @param message why nothing happened, or the message of a failed request; empty otherwise
 * @param isFailed whether a request failed
 * @param attempts of a request
 * @param driver the events of segments, in order
 * @param completed the addresses of freed blocks whose last stream has completed
 * @param completedFirst those that completed before the free blocks were searched
 * @param events of the allocator
 * @param previousId the number of the block that had this address before
 */
record Applied(
    long address,
    String message,
    boolean isFailed,
    List<Attempt> attempts,
    List<StepEvents.DriverEvent> driver,
    List<Long> completed,
    List<Long> completedFirst,
    List<ScriptEvent> events,
    long previousId) {
  static final long NO_ADDRESS = -1;

  static Applied done(long address) {
    return new Applied(address, "", /* isFailed= */ false, ShownBlock.NO_ID);
  }

  static Applied allocated(long address, long previousId) {
    return new Applied(address, "", /* isFailed= */ false, previousId);
  }

  static Applied nothing(String why) {
    return new Applied(NO_ADDRESS, why, /* isFailed= */ false, ShownBlock.NO_ID);
  }

  static Applied failed(String message) {
    return new Applied(NO_ADDRESS, message, /* isFailed= */ true, ShownBlock.NO_ID);
  }

  private Applied(long address, String message, boolean isFailed, long previousId) {
    this(
        address,
        message,
        isFailed,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        previousId);
  }

  static Applied finished(int kernels) {
    return kernels == 0 ? nothing("No kernel was running there.") : done(NO_ADDRESS);
  }

  Applied with(StepEvents events) {
    return new Applied(
        address,
        message,
        isFailed,
        events.attempts(),
        events.driver(),
        events.completed(),
        events.completedFirst(),
        events.logged(),
        previousId);
  }
}
