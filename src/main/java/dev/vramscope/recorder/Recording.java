package dev.vramscope.recorder;

/** How much history is kept, as PyTorch's {@code enabled} says it. */
public enum Recording {
  /** None. */
  OFF,
  /** The contexts of what is alive; no events. */
  STATE,
  /** Events too. */
  ALL
}
