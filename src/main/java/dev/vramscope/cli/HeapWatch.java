package dev.vramscope.cli;

import dev.vramscope.cli.arguments.Command;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Ends a command that does little but collect garbage: its heap is nearly too small, and it would
 * take minutes or hours. Java has such a limit for one of its collectors only.
 */
final class HeapWatch {
  private static final Duration WINDOW = Duration.ofSeconds(10);

  /** The parts of the time in the collector, and of the heap that is in use after it. */
  private static final double MOST_TIME = 0.9;

  private static final double MOST_HEAP = 0.9;

  private final HeapShortage shortage;
  private final PrintStream err;

  private HeapWatch(HeapShortage shortage, PrintStream err) {
    this.shortage = shortage;
    this.err = err;
  }

  /** Watches this process until it ends. */
  static void start(HeapShortage shortage, PrintStream err) {
    Thread.ofPlatform().daemon().name("heap-watch").start(new HeapWatch(shortage, err)::watch);
  }

  private void watch() {
    try {
      long before = collectorMillis();
      while (true) {
        Thread.sleep(WINDOW);
        long now = collectorMillis();
        if (isTooMuch(now - before)) {
          shortage.report(err);
          Runtime.getRuntime().halt(Command.FAILED);
        }
        before = now;
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isTooMuch(long millis) {
    Runtime heap = Runtime.getRuntime();
    long used = heap.totalMemory() - heap.freeMemory();
    return millis > MOST_TIME * WINDOW.toMillis() && used > MOST_HEAP * heap.maxMemory();
  }

  private static long collectorMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }
}
