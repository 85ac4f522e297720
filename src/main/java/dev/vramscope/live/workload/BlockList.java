package dev.vramscope.live.workload;

import java.util.ArrayList;
import java.util.List;

/** Blocks with the same lifetime. Closing the list frees them, the newest first. */
final class BlockList implements AutoCloseable {
  private final WorkloadContext context;
  private final List<WorkBlock> blocks = new ArrayList<>();

  BlockList(WorkloadContext context) {
    this.context = context;
  }

  WorkBlock add(WorkBlock block) {
    blocks.add(block);
    return block;
  }

  WorkBlock get(int index) {
    return blocks.get(index);
  }

  int size() {
    return blocks.size();
  }

  /** Replaces a block; the old one is freed. */
  void replace(int index, WorkBlock block) {
    WorkBlock old = blocks.set(index, block);
    context.free(old);
  }

  /** Frees the newest block. */
  void freeLast() {
    context.free(blocks.removeLast());
  }

  void check() {
    blocks.forEach(context::check);
  }

  @Override
  public void close() {
    while (!blocks.isEmpty()) {
      freeLast();
    }
  }
}
