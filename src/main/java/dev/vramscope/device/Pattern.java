package dev.vramscope.device;

/**
 * The fill pattern that identifies the contents of memory: 64-bit word {@code i} of a range is
 * {@code mix(seed + i)}, little-endian; a tail shorter than a word holds the low bytes of its word.
 * {@code mix} is the finalizer of splitmix64 (Steele, Lea and Flood 2014), a bijection: words of
 * different seeds differ unless one pattern is a shifted copy of the other. The device code in
 * {@code native/} computes the same.
 */
public final class Pattern {
  private Pattern() {}

  /** The 64-bit word at an index of a range, counted in words. */
  public static long word(long seed, long index) {
    long z = seed + index;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
