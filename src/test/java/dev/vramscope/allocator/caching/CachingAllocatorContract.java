package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorContract;
import java.util.Set;

/** The contract of allocators, with the callbacks that only the caching allocator makes. */
public abstract class CachingAllocatorContract extends AllocatorContract {
  /** Every callback that not all allocators make. */
  public static final Set<String> CALLBACKS =
      Set.of("freePending", "freeCompleted", "annotated", "beginOperation", "endOperation");

  /** Annotates a block, and allocates it again by its address, which is a named operation. */
  public static void annotateAndAllocateAt(Allocator tested) {
    CachingAllocator caching = (CachingAllocator) tested;
    long bytes = 3L << 20;
    long block = caching.allocate(bytes, 0);
    long address = caching.address(block);
    caching.annotate(block, "text");
    caching.free(block);
    caching.free(caching.allocateAt(bytes, 0, address));
  }

  @Override
  protected Set<String> additionalCallbacks() {
    return CALLBACKS;
  }

  @Override
  protected void useAdditionalOperations(Allocator tested) {
    annotateAndAllocateAt(tested);
  }
}
