package dev.vramscope.postmortem;

/**
 * The cause in one sentence with numbers.
 *
 * @param cause what kept the request from being served
 * @param certainty how sure that is
 * @param sentence the numbers and the cause
 * @param reason why it is not certain; empty when it is
 */
public record Verdict(Cause cause, Certainty certainty, String sentence, String reason) {
  /** What kept a request from being served. */
  public enum Cause {
    /** Live memory leaves no room, however it is arranged. */
    TOO_MUCH_LIVE,
    /** Enough is free in the usable pool, in pieces. */
    FRAGMENTATION,
    /** Enough is free, on another stream. */
    OTHER_STREAM,
    /** Enough is free, in the other size class or in private pools. */
    OTHER_POOL,
    /** Enough is freed, but waits for a stream. */
    PENDING_FREES,
    /** The memory outside the allocator is what is missing. */
    OUTSIDE_ALLOCATOR,
    /** The device had room: a limit or the reconstruction. */
    LIMIT,
    /** It would fit. */
    FITS,
    /** The recording does not tell. */
    UNKNOWN
  }

  /** How sure a verdict is. */
  public enum Certainty {
    CERTAIN,
    LIKELY,
    CANNOT_TELL
  }
}
