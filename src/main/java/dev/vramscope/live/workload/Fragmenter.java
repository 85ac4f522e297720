package dev.vramscope.live.workload;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * An adversary: fills memory with blocks of one size, frees every other one, and then asks for
 * blocks that are slightly larger than the holes. What stays pins the memory around it until it is
 * the oldest.
 */
final class Fragmenter implements Workload {
  private static final long MIB = 1L << 20;
  private static final int BLOCKS_PER_STEP = 32;
  private static final long MOST_BYTES = 2048 * MIB;
  private static final long LARGEST_BYTES = 48 * MIB;
  private static final double GROWTH = 1.13;

  private final Deque<WorkBlock> pins = new ArrayDeque<>();
  private long pinnedBytes;
  private double bytes;

  @Override
  public void step(WorkloadContext context) {
    if (bytes < 1 || bytes > LARGEST_BYTES) {
      bytes = MIB * (0.5 + context.random().nextDouble());
    }
    long size = context.scaled(Math.round(bytes));
    while (pinnedBytes + BLOCKS_PER_STEP * size > context.scaled(MOST_BYTES) && !pins.isEmpty()) {
      WorkBlock oldest = pins.remove();
      pinnedBytes -= oldest.bytes();
      context.free(oldest);
    }
    try (BlockList holes = context.blocks();
        var _ = context.scope("fragment/" + Math.round(bytes / MIB) + " MiB")) {
      for (int i = 0; i < BLOCKS_PER_STEP; i++) {
        WorkBlock block = context.allocate(size);
        if (i % 2 == 0) {
          holes.add(block);
        } else {
          pins.add(block);
          pinnedBytes += size;
        }
      }
    }
    bytes *= GROWTH;
  }
}
