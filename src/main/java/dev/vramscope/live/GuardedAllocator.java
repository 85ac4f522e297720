package dev.vramscope.live;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorInspection;

/** Runs an allocator's operations through a guard, and its queries directly. */
final class GuardedAllocator implements Allocator {
  private final OperationGuard guard;
  private final Allocator allocator;

  GuardedAllocator(OperationGuard guard, Allocator allocator) {
    this.guard = guard;
    this.allocator = allocator;
  }

  @Override
  public long allocate(long bytes, int stream) {
    return guard.get(() -> allocator.allocate(bytes, stream));
  }

  @Override
  public void free(long block) {
    guard.run(() -> allocator.free(block));
  }

  @Override
  public void recordStream(long block, int stream) {
    guard.run(() -> allocator.recordStream(block, stream));
  }

  @Override
  public void emptyCache() {
    guard.run(allocator::emptyCache);
  }

  @Override
  public long address(long block) {
    return allocator.address(block);
  }

  @Override
  public AllocatorInspection inspect() {
    return allocator.inspect();
  }
}
