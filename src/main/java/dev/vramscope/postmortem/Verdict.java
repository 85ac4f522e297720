package dev.vramscope.postmortem;

import java.util.List;

/**
 * The cause in one sentence with numbers.
 *
 * @param cause what kept the request from being served
 * @param certainty how sure that is
 * @param sentence the numbers, the cause and the certainty
 * @param caveats why it is not certain, one sentence each; empty when it is
 */
public record Verdict(Cause cause, Certainty certainty, String sentence, List<String> caveats) {
  public Verdict {
    caveats = List.copyOf(caveats);
  }

  /** What kept a request from being served. */
  public enum Cause {
    /** Live memory leaves no room, however it is arranged. */
    TOO_MUCH_LIVE("too much is live"),
    /** Enough is free where the request could use it, in pieces. */
    FRAGMENTATION("fragmentation"),
    /** With what other streams have free, there would be enough. */
    OTHER_STREAM("free memory is stranded on another stream"),
    /** With what the other size class and other pools have free, there would be enough. */
    OTHER_POOL("free memory is stranded in another pool"),
    /** Enough is freed, but waits for a stream. */
    PENDING_FREES("freed memory waits for a stream"),
    /** What others hold on the device exceeds what the allocator has handed out. */
    OUTSIDE_ALLOCATOR("memory outside this allocator"),
    /** Free blocks are large enough, but kept for larger requests. */
    OVERSIZE_RULE("max_split_size keeps the large free blocks for larger requests"),
    /** The device had room: a limit, such as the memory fraction, refused. */
    LIMIT("a limit, such as the memory fraction"),
    /** It would fit. */
    FITS("none, it fits"),
    /** The recording does not tell. */
    UNKNOWN("unknown");

    private final String label;

    Cause(String label) {
      this.label = label;
    }

    /** For a sentence. */
    public String label() {
      return label;
    }
  }

  /** How sure a verdict is. */
  public enum Certainty {
    CERTAIN("certain"),
    LIKELY("likely"),
    INCONCLUSIVE("cannot tell");

    private final String label;

    Certainty(String label) {
      this.label = label;
    }

    /** For a sentence. */
    public String label() {
      return label;
    }
  }
}
