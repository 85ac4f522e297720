package dev.vramscope.store.codec;

/** What a blob holds. The code is stored; it never changes. */
public enum Part {
  /** Origin, settings, findings, and how much of everything there is. */
  HEAD(0, "head"),
  /** Interned frames. */
  FRAMES(1, "frames"),
  /** Nodes of the stack tree. */
  STACKS(2, "stacks"),
  /** Segments with their blocks. */
  SEGMENTS(3, "segments"),
  /** Trace events. */
  EVENTS(4, "events"),
  /** What few events have: OOMs, user metadata, compile contexts, unknown words; annotations. */
  RARE(5, "rare facts");

  private final int code;
  private final String words;

  Part(int code, String words) {
    this.code = code;
    this.words = words;
  }

  /** The number in the database. */
  public int code() {
    return code;
  }

  String words() {
    return words;
  }
}
