package dev.vramscope.live.lab;

/** Something that the allocator did in a step, in a sentence. */
public record Reason(Kind kind, String text) {
  /** The part of an operation. */
  public enum Kind {
    /** The size of the block for a request. */
    ROUNDED,
    /** The pool or bin in which it is searched. */
    POOL,
    /** What was searched and found. */
    SEARCHED,
    /** The block was divided, or not. */
    SPLIT,
    /** Free neighbours became one block. */
    COALESCED,
    /** A call of the driver, or one that was refused. */
    DRIVER,
    /** A block waits for a stream, or no longer. */
    STREAM,
    /** The request failed. */
    FAILED,
    /** A running kernel and another block use the same memory. */
    HAZARD,
    /** Anything else. */
    NOTE
  }
}
