package dev.vramscope.live.workload;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Causes fragmentation: allocates blocks of one size, frees every other one, and then requests
 * blocks that are slightly larger than the gaps. The remaining blocks prevent the release of the
 * memory around them; the oldest are freed when they exceed a limit.
 */
final class Fragmenter implements Workload {
  private static final long MIB = 1L << 20;
  private static final int BLOCKS_PER_STEP = 32;
  private static final long MAX_REMAINING_BYTES = 2048 * MIB;
  private static final long MAX_BLOCK_BYTES = 48 * MIB;
  private static final double GROWTH = 1.13;

  private final Deque<WorkBlock> remaining = new ArrayDeque<>();
  private long remainingBytes;
  private double bytes;

  @Override
  public void step(WorkloadContext context) {
    if (bytes < 1 || bytes > MAX_BLOCK_BYTES) {
      bytes = MIB * (0.5 + context.random().nextDouble());
    }
    long size = context.scaled(Math.round(bytes));
    while (remainingBytes + BLOCKS_PER_STEP * size > context.scaled(MAX_REMAINING_BYTES)
        && !remaining.isEmpty()) {
      WorkBlock oldest = remaining.remove();
      remainingBytes -= oldest.bytes();
      context.free(oldest);
    }
    try (BlockList gaps = context.blocks();
        var _ = context.scope("fragment/" + Math.round(bytes / MIB) + " MiB")) {
      for (int i = 0; i < BLOCKS_PER_STEP; i++) {
        WorkBlock block = context.allocate(size);
        if (i % 2 == 0) {
          gaps.add(block);
        } else {
          remaining.add(block);
          remainingBytes += size;
        }
      }
    }
    bytes *= GROWTH;
  }
}
