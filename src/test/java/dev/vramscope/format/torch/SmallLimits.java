package dev.vramscope.format.torch;

import dev.vramscope.format.ReadLimits;

/** Limits that small damaged files can exceed. */
final class SmallLimits {
  private SmallLimits() {}

  static ReadLimits of(int maxStackFrames) {
    return new ReadLimits(
        1 << 22,
        new ReadLimits.Encoding(16, 1 << 16, 1 << 20, 1 << 16, 1 << 16),
        1 << 16,
        1 << 16,
        1 << 16,
        1 << 16,
        64,
        Long.MAX_VALUE,
        maxStackFrames);
  }
}
