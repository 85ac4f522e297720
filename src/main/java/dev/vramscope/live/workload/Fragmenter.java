package dev.vramscope.live.workload;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Causes fragmentation: allocates blocks of one size, frees every other one, and then requests
 * blocks that are slightly larger than the gaps. The remaining blocks pin the memory around them
 * until they are the oldest.
 */
final class Fragmenter implements Workload {
  private static final long MIB = 1L << 20;
  private static final int BLOCKS_PER_STEP = 32;
  private static final long MAX_PINNED_BYTES = 2048 * MIB;
  private static final long MAX_BLOCK_BYTES = 48 * MIB;
  private static final double GROWTH = 1.13;

  private final Deque<WorkBlock> pins = new ArrayDeque<>();
  private long pinnedBytes;
  private double bytes;

  @Override
  public void step(WorkloadContext context) {
    if (bytes < 1 || bytes > MAX_BLOCK_BYTES) {
      bytes = MIB * (0.5 + context.random().nextDouble());
    }
    long size = context.scaled(Math.round(bytes));
    while (pinnedBytes + BLOCKS_PER_STEP * size > context.scaled(MAX_PINNED_BYTES)
        && !pins.isEmpty()) {
      WorkBlock oldest = pins.remove();
      pinnedBytes -= oldest.bytes();
      context.free(oldest);
    }
    try (BlockList gaps = context.blocks();
        var _ = context.scope("fragment/" + Math.round(bytes / MIB) + " MiB")) {
      for (int i = 0; i < BLOCKS_PER_STEP; i++) {
        WorkBlock block = context.allocate(size);
        if (i % 2 == 0) {
          gaps.add(block);
        } else {
          pins.add(block);
          pinnedBytes += size;
        }
      }
    }
    bytes *= GROWTH;
  }
}
