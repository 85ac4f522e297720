package dev.vramscope.allocator.caching.blocks;

/** Which of several free blocks of the same size is used first. */
public enum TieBreak {
  /** The one in the oldest segment, then the lowest address: PyTorch 2.14. */
  SEGMENT_AGE,
  /** The lowest address: PyTorch 2.6 and before. */
  ADDRESS
}
