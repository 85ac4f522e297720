package dev.vramscope.postmortem.cause;

import dev.vramscope.model.Certainty;
import java.util.List;

/**
 * The cause of a failure, with the numbers that show it.
 *
 * @param cause the cause of the failure
 * @param certainty the certainty of the cause
 * @param sentence the numbers, the cause and the certainty as text
 * @param caveats why the cause is not certain, one sentence each; empty if it is
 */
public record Verdict(Cause cause, Certainty certainty, String sentence, List<String> caveats) {
  public Verdict {
    caveats = List.copyOf(caveats);
  }

  /** The cause in words, and the other one if the recording does not tell them apart. */
  public String causeText() {
    return causeText(cause, certainty);
  }

  static String causeText(Cause cause, Certainty certainty) {
    return certainty == Certainty.UNDECIDED && cause == Cause.TOO_MUCH_LIVE
        ? cause.label + " or " + Cause.OUTSIDE_ALLOCATOR.label
        : cause.label;
  }

  /** The cause of a failure. */
  public enum Cause {
    /** Live memory fills the device, or so nearly that only small pieces are free. */
    TOO_MUCH_LIVE("too much live memory"),
    /** Live memory has grown step by step, by more than the request was short of. */
    LEAK("live memory that grows step by step"),
    /** The request, or the step it is in, needs far more than the steps before. */
    SPIKE("a request or step that needs far more memory than those before it"),
    /** Enough bytes are free in the right pool and stream, but not contiguous. */
    FRAGMENTATION("fragmentation"),
    /** What chunks in use of a BFC allocator have beyond their requests would have been enough. */
    CHUNK_WASTE("waste inside chunks in use"),
    /** There is enough free memory, but part of it belongs to other streams. */
    OTHER_STREAM("the free memory belongs to another stream"),
    /** There is enough free memory, but part of it is in the other size class or in other pools. */
    OTHER_POOL("the free memory belongs to another pool"),
    /** Enough memory has been freed, but part of it is still waiting for a stream. */
    PENDING_FREES("freed memory is still waiting for a stream"),
    /** A graph capture under way kept the allocator from emptying its cache. */
    CAPTURE_KEEPS_CACHE("a graph capture under way kept the cache from being emptied"),
    /** Memory used outside the allocator, without which the request would have been served. */
    OUTSIDE_ALLOCATOR("memory outside this allocator"),
    /** Free blocks are large enough, but reserved for larger requests. */
    OVERSIZE_RULE("max_split_size reserves the large free blocks for larger requests"),
    /** The device had enough free memory, so a limit such as the memory fraction applied. */
    LIMIT("a memory limit, such as the memory fraction"),
    /** The request is larger than all that the pool of a BFC allocator may have. */
    REQUEST_EXCEEDS_POOL("the request is larger than the whole pool"),
    /** The request is larger than the device. */
    REQUEST_EXCEEDS_DEVICE("the request is larger than the device"),
    /** No failure: the request would fit. */
    FITS("none, the request fits"),
    /** Not determined by the recording. */
    UNKNOWN("unknown");

    private final String label;

    Cause(String label) {
      this.label = label;
    }

    /** The text for sentences. */
    public String label() {
      return label;
    }

    /** Whether the request would fail. */
    public boolean isFailure() {
      return this != FITS;
    }

    /** Whether the steps before the request show the cause, and not the request itself. */
    public boolean isInEarlierSteps() {
      return this == LEAK || this == SPIKE;
    }
  }
}
