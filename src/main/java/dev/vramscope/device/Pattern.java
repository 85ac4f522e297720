package dev.vramscope.device;

/**
 * What memory is filled with so that it can be recognized: word {@code i} of a range is {@code
 * mix(seed + i)}, little-endian; a tail shorter than a word holds the low bytes of the next one.
 * {@code mix} is the finalizer of splitmix64 (Steele, Lea and Flood 2014), a bijection: words of
 * different seeds differ unless one pattern is the other one shifted. The device code in {@code
 * native/} computes the same.
 */
public final class Pattern {
  private Pattern() {}

  /** The 64-bit word at a place of a range, counted in words. */
  public static long word(long seed, long index) {
    long z = seed + index;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
