package dev.vramscope.live.workload;

import java.util.ArrayList;
import java.util.List;

/** Blocks that live equally long: closing the list frees them, the youngest first. */
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

  WorkBlock get(int place) {
    return blocks.get(place);
  }

  int size() {
    return blocks.size();
  }

  /** Puts a block in another's place; the other is freed. */
  void replace(int place, WorkBlock block) {
    WorkBlock old = blocks.set(place, block);
    context.free(old);
  }

  /** Frees the youngest block. */
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
