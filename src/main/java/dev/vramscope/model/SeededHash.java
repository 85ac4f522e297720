package dev.vramscope.model;

import java.security.SecureRandom;

/**
 * A hash function for numbers from untrusted input. With a fixed factor, a file could be crafted
 * whose numbers all fall into the same slot of a hash table, so that reading it takes quadratic
 * time. The factor is therefore random in each process, and the order of a table must never affect
 * a result.
 */
public final class SeededHash {
  private static final long FACTOR = new SecureRandom().nextLong() | 1;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private SeededHash() {}

  /** Different for different numbers; the most significant bits are mixed best. */
  public static long of(long number) {
    long mixed = number * FACTOR;
    return (mixed ^ mixed >>> 32) * GOLDEN;
  }
}
