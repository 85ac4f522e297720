package dev.vramscope.intake;

import java.util.concurrent.Semaphore;

/**
 * The share of the heap in which files are read into the model. Reservations are in MiB and are
 * granted in the order of the requests. A file reserves what reading it may need; a file that needs
 * the whole budget is read alone.
 */
final class HeapBudget {
  private static final long MIB = 1 << 20;
  private static final int MIN_MEBIBYTES = 8;
  // Heap bytes per byte of a real snapshot (measured: 0.4 to 1.3), and of a hostile file, in which
  // every byte may be an opcode that opens a container.
  private static final double REAL_RATIO = 1.5;
  private static final int HOSTILE_RATIO = 12;

  private final int total;
  private final Semaphore free;

  HeapBudget(long bytes) {
    total = Math.clamp(bytes / MIB, MIN_MEBIBYTES, Integer.MAX_VALUE);
    free = new Semaphore(total, /* fair= */ true);
  }

  /** Waits until the heap for reading a file of {@code fileBytes} is available. */
  Reservation reserve(long fileBytes) throws InterruptedException {
    int mebibytes = mebibytesFor(fileBytes);
    free.acquire(mebibytes);
    return new Reservation(mebibytes);
  }

  /**
   * MiB for reading a file. The ratio of a hostile file is assumed as long as it needs at most a
   * quarter of the budget.
   */
  int mebibytesFor(long fileBytes) {
    double file = (double) fileBytes / MIB;
    double need = Math.max(REAL_RATIO * file, Math.min(HOSTILE_RATIO * file, total / 4.0));
    return Math.clamp((long) Math.ceil(need), Math.min(MIN_MEBIBYTES, total), total);
  }

  /** A reserved part of the budget, released on close. */
  final class Reservation implements AutoCloseable {
    private final int mebibytes;

    private Reservation(int mebibytes) {
      this.mebibytes = mebibytes;
    }

    @Override
    public void close() {
      free.release(mebibytes);
    }
  }
}
