package dev.vramscope.allocator;

import dev.vramscope.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An allocator in front of another one: every question goes to it. What changes it is for the
 * subclass to say.
 */
public abstract class ForwardingAllocator implements Allocator {
  private final Allocator allocator;

  protected ForwardingAllocator(Allocator allocator) {
    this.allocator = allocator;
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
