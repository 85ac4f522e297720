package dev.vramscope.live;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.ReleaseCandidate;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An allocator whose changes go through a guard, and whose questions do not. */
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
  public boolean followsStreams() {
    return allocator.followsStreams();
  }

  @Override
  public long address(long block) {
    return allocator.address(block);
  }

  @Override
  public AllocatorTotals totals() {
    return allocator.totals();
  }

  @Override
  public void visitSegments(Consumer<? super SegmentView> visitor) {
    allocator.visitSegments(visitor);
  }

  @Override
  public PoolId poolId(int number) {
    return allocator.poolId(number);
  }

  @Override
  public boolean isLargePool(int number) {
    return allocator.isLargePool(number);
  }

  @Override
  public Map<String, String> settings() {
    return allocator.settings();
  }

  @Override
  public @Nullable BlockView blockAt(long address) {
    return allocator.blockAt(address);
  }

  @Override
  public long adjacentFreeBytes(long block) {
    return allocator.adjacentFreeBytes(block);
  }

  @Override
  public List<ReleaseCandidate> releaseCandidates(int limit) {
    return allocator.releaseCandidates(limit);
  }

  @Override
  public void addListener(AllocatorListener listener) {
    allocator.addListener(listener);
  }

  @Override
  public void removeListener(AllocatorListener listener) {
    allocator.removeListener(listener);
  }

  @Override
  public void checkInvariants() {
    allocator.checkInvariants();
  }
}
