package dev.vramscope.allocator.pinned;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The cached blocks: bucket n contains sizes above 2^(n-1), up to 2^n. */
final class Buckets {
  private static final int COUNT = 64;

  private final List<List<PinnedBlock>> buckets = new ArrayList<>();

  Buckets() {
    for (int i = 0; i < COUNT; i++) {
      buckets.add(new ArrayList<>());
    }
  }

  void add(PinnedBlock block) {
    bucket(block.bytes).add(block);
  }

  /** Removes the smallest block of the bucket that fits, the last freed of several; or null. */
  @Nullable PinnedBlock remove(long bytes) {
    List<PinnedBlock> bucket = bucket(bytes);
    int best = -1;
    for (int i = bucket.size() - 1; i >= 0; i--) {
      PinnedBlock block = bucket.get(i);
      if (block.fits(bytes) && (best < 0 || block.bytes < bucket.get(best).bytes)) {
        best = i;
        if (block.bytes == bytes) {
          break;
        }
      }
    }
    return best < 0 ? null : bucket.remove(best);
  }

  /** Removes all blocks that may be released to the driver. */
  List<PinnedBlock> removeReleasable() {
    List<PinnedBlock> releasable = new ArrayList<>();
    for (List<PinnedBlock> bucket : buckets) {
      for (PinnedBlock block : bucket) {
        if (!block.reserved) {
          releasable.add(block);
        }
      }
      bucket.removeIf(block -> !block.reserved);
    }
    return releasable;
  }

  boolean contains(PinnedBlock block) {
    return bucket(block.bytes).contains(block);
  }

  int size() {
    return buckets.stream().mapToInt(List::size).sum();
  }

  private List<PinnedBlock> bucket(long bytes) {
    return buckets.get(Long.SIZE - 1 - Long.numberOfLeadingZeros(PinnedSettings.powerOfTwo(bytes)));
  }
}
