package dev.vramscope.recorder;

/** How much history is recorded, as PyTorch's {@code enabled} argument defines it. */
public enum Recording {
  /** Nothing. */
  OFF,
  /** The contexts of live blocks and segments, without events. */
  STATE,
  /** Contexts and events. */
  ALL
}
