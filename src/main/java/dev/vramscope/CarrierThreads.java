package dev.vramscope;

/**
 * The platform threads that run virtual threads. A virtual thread that computes keeps its carrier,
 * and by default there are as many as processors, so that two long requests would delay all others.
 * With many, the operating system divides the processors between them. They are created when they
 * are needed.
 */
final class CarrierThreads {
  private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

  /** The most that the scheduler creates by default, for threads that are pinned. */
  private static final int COUNT = 256;

  private CarrierThreads() {}

  /** Sets the number, unless a user has; to be called before the first virtual thread starts. */
  static void prepare() {
    if (System.getProperty(PARALLELISM) == null) {
      System.setProperty(PARALLELISM, String.valueOf(COUNT));
    }
  }
}
