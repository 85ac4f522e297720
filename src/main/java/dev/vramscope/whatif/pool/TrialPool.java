package dev.vramscope.whatif.pool;

import dev.vramscope.allocator.bfc.AllocationAttributes;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.device.SubAllocator;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Segment;
import dev.vramscope.model.pool.ChunkRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** A BFC allocator without a device, whose regions are chosen: it has addresses and no data. */
final class TrialPool {
  /** Of the limit: every remainder is split off. */
  private static final double SPLITS_ALWAYS = Double.MIN_VALUE;

  /** No pool has more; the allocator computes with sums of two. */
  private static final long NO_LIMIT = 1L << 60;

  private final BfcAllocator allocator;

  private TrialPool(BfcOptions options, SubAllocator source) {
    // A request that fails is not tried again: nothing is freed meanwhile.
    allocator = BfcAllocator.forReplay(options.withRetries(false), source);
  }

  /** A pool of one piece, that splits what remains of a chunk in any case. */
  static TrialPool ofOnePiece(long bytes) {
    return new TrialPool(
        BfcOptions.of("trial", bytes).withFragmentationFraction(SPLITS_ALWAYS), new Growing());
  }

  /** A pool with the rule that XLA and TensorFlow have by default. */
  static TrialPool withDefaultRule(long limitBytes, boolean isGrowing) {
    return new TrialPool(BfcOptions.of("trial", limitBytes).withGrowing(isGrowing), new Growing());
  }

  /**
   * The regions of a pool, in which each chunk in use is only as large as what was requested. No
   * region can be added.
   */
  static TrialPool ofRequestsIn(List<Segment> regions) {
    TrialPool pool =
        new TrialPool(
            BfcOptions.of("trial", NO_LIMIT)
                .withGrowing(true)
                .withFragmentationFraction(SPLITS_ALWAYS),
            new Recorded(regions));
    List<Long> fillers = new ArrayList<>();
    for (Segment region : regions) {
      for (Block chunk : region.blocks()) {
        // Each region is filled before the next is acquired, so that chunks follow one another.
        long held =
            chunk.state() == BlockState.ALLOCATED ? ChunkRules.rounded(chunk.requestedBytes()) : 0;
        if (held > 0) {
          pool.mustAllocate(Math.min(held, chunk.bytes()));
        }
        if (chunk.bytes() > held) {
          fillers.add(pool.mustAllocate(chunk.bytes() - held));
        }
      }
    }
    fillers.forEach(pool.allocator::free);
    return pool;
  }

  private long mustAllocate(long bytes) {
    long block = tryAllocate(bytes);
    if (block == BfcAllocator.NO_BLOCK) {
      throw new IllegalStateException("a pool has no room for its own chunk of " + bytes);
    }
    return block;
  }

  private long tryAllocate(long bytes) {
    return allocator.tryAllocate(
        bytes, BfcAllocator.DEFAULT_ALIGNMENT, /* stream= */ 0, AllocationAttributes.DEFAULT);
  }

  /** Allocates one after the other; whether there was room for each. */
  boolean serves(long[] sizes) {
    for (long size : sizes) {
      if (size > 0 && tryAllocate(size) == BfcAllocator.NO_BLOCK) {
        return false;
      }
    }
    return true;
  }

  boolean serves(long bytes) {
    return serves(new long[] {bytes});
  }

  /** Gives what is asked for; the limit of the pool is the only one. Regions do not touch. */
  private static final class Growing implements SubAllocator {
    private static final long GAP_BYTES = 1 << 20;
    private final Map<Long, Long> sizes = new HashMap<>();
    private long next = GAP_BYTES;

    @Override
    public long allocate(long alignment, long bytes) {
      long address = next;
      sizes.put(address, bytes);
      next = Math.ceilDiv(address + bytes + GAP_BYTES, GAP_BYTES) * GAP_BYTES;
      return address;
    }

    @Override
    public long bytesAt(long address) {
      return sizes.getOrDefault(address, 0L);
    }

    @Override
    public void free(long address, long bytes) {
      sizes.remove(address);
    }

    @Override
    public boolean supportsCoalescing() {
      return false;
    }

    @Override
    public long freeBytes() {
      return NO_LIMIT;
    }
  }

  /** Gives the regions of a recording, whatever is asked for. */
  private static final class Recorded implements SubAllocator {
    private final Iterator<Segment> regions;
    private final Map<Long, Long> sizes = new HashMap<>();

    Recorded(List<Segment> regions) {
      this.regions = regions.iterator();
    }

    @Override
    public long allocate(long alignment, long bytes) {
      if (!regions.hasNext()) {
        return 0;
      }
      Segment region = regions.next();
      // The places of a region matter, not its address, which may be one that is no multiple.
      long address = (sizes.size() + 1L) << 44;
      sizes.put(address, region.bytes());
      return address;
    }

    @Override
    public long bytesAt(long address) {
      return sizes.getOrDefault(address, 0L);
    }

    @Override
    public void free(long address, long bytes) {
      sizes.remove(address);
    }

    @Override
    public boolean supportsCoalescing() {
      return false;
    }

    @Override
    public long freeBytes() {
      return 0;
    }
  }
}
