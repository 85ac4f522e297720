package dev.vramscope.intake;

import java.util.concurrent.Semaphore;

/**
 * The share of the heap in which files are read into the model, handed out in MiB by a fair queue.
 * A file takes what reading it may need; one that needs all of it is read alone.
 */
final class HeapRoom {
  private static final long MIB = 1 << 20;
  private static final int LEAST = 8;
  // What a real snapshot needs for a byte of its file (measured: 0.4 to 1.3), and what one byte of
  // a hostile one may cost: an opcode that opens a container.
  private static final double REAL = 1.5;
  private static final int HOSTILE = 12;

  private final int total;
  private final Semaphore free;

  HeapRoom(long bytes) {
    total = Math.clamp(bytes / MIB, LEAST, Integer.MAX_VALUE);
    free = new Semaphore(total, /* fair= */ true);
  }

  /** Waits until there is room to read a file of so many bytes. */
  Lease take(long fileBytes) throws InterruptedException {
    int mebibytes = need(fileBytes);
    free.acquire(mebibytes);
    return new Lease(mebibytes);
  }

  /** MiB for a file: hostile files are given more than they need up to a quarter of the room. */
  int need(long fileBytes) {
    double file = (double) fileBytes / MIB;
    double need = Math.max(REAL * file, Math.min(HOSTILE * file, total / 4.0));
    return Math.clamp((long) Math.ceil(need), Math.min(LEAST, total), total);
  }

  /** Room that was taken, until it is closed. */
  final class Lease implements AutoCloseable {
    private final int mebibytes;

    private Lease(int mebibytes) {
      this.mebibytes = mebibytes;
    }

    @Override
    public void close() {
      free.release(mebibytes);
    }
  }
}
