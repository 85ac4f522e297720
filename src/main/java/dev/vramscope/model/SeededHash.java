package dev.vramscope.model;

import java.security.SecureRandom;

/**
 * Hashes numbers that a stranger chose. With a fixed factor a file can be made whose numbers all
 * fall into one place of a table, and reading it takes quadratic time. Each process draws its own,
 * so the order in a table must never show in a result.
 */
public final class SeededHash {
  private static final long SECRET = new SecureRandom().nextLong() | 1;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private SeededHash() {}

  /** Different for different numbers; the uppermost bits are the best mixed ones. */
  public static long of(long number) {
    long mixed = number * SECRET;
    return (mixed ^ mixed >>> 32) * GOLDEN;
  }
}
