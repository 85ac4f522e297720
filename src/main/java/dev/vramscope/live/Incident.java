package dev.vramscope.live;

import java.time.Instant;

/** Something that went wrong in a hosted allocator and did not end it, or did. */
public sealed interface Incident {
  Instant at();

  Evidence evidence();

  /**
   * A request failed.
   *
   * @param segmentBytes what was asked of the card for it
   * @param limitBytes what the allocator may use: the card, or less by its settings
   * @param deviceFreeBytes what the card had free
   */
  record OutOfMemory(
      Instant at, long segmentBytes, long limitBytes, long deviceFreeBytes, Evidence evidence)
      implements Incident {}

  /**
   * The card failed.
   *
   * @param reason the driver's error
   */
  record Fault(Instant at, String reason, Evidence evidence) implements Incident {}
}
