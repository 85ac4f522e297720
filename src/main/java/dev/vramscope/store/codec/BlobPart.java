package dev.vramscope.store.codec;

/** The content of a blob. The code is stored and never changes. */
public enum BlobPart {
  /** Origin, settings, findings, and the numbers of rows in the other blobs. */
  HEAD(0, "head"),
  /** Interned frames. */
  FRAMES(1, "frames"),
  /** Nodes of the stack tree. */
  STACKS(2, "stacks"),
  /** Segments with their blocks. */
  SEGMENTS(3, "segments"),
  /** Trace events. */
  EVENTS(4, "events"),
  /** Values of few events: OOMs, user metadata, compile contexts, other actions; annotations. */
  SPARSE(5, "sparse columns");

  private final int code;
  private final String label;

  BlobPart(int code, String label) {
    this.code = code;
    this.label = label;
  }

  /** The number in the database. */
  public int code() {
    return code;
  }

  String label() {
    return label;
  }
}
