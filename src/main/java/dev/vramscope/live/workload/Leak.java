package dev.vramscope.live.workload;

import org.jspecify.annotations.Nullable;

/**
 * A training loop that appends the losses of each step to a list, and thereby keeps the tensors
 * they were computed from. All other blocks are freed.
 */
final class Leak implements Workload {
  private static final long MIB = 1L << 20;
  private static final int BLOCKS_PER_STEP = 3;

  private @Nullable BlockList losses;

  @Override
  public void step(WorkloadContext context) {
    BlockList keptBlocks = losses == null ? context.blocks() : losses;
    losses = keptBlocks;
    try (BlockList activations = context.blocks()) {
      try (var _ = context.scope("forward")) {
        for (int i = 0; i < 8; i++) {
          activations.add(
              context.allocate(context.scaled((1 + context.random().nextInt(16)) * MIB)));
        }
      }
      try (var _ = context.scope("losses.append")) {
        for (int i = 0; i < BLOCKS_PER_STEP; i++) {
          keptBlocks.add(context.allocate(context.scaled((1 + context.random().nextInt(4)) * MIB)));
        }
      }
    }
  }
}
