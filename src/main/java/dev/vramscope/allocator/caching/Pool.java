package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Laws;
import dev.vramscope.device.Streams;
import dev.vramscope.model.PoolId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of one kind, small or large, of the default pools or of a {@link PrivatePool}. It knows
 * its inactive blocks, mapped and unmapped, by stream.
 */
final class Pool {
  private static final int[] NO_BLOCKS = {};

  private final int number;
  private final boolean small;
  private final @Nullable PrivatePool owner;
  private final Blocks blocks;
  private final long registrationMask;
  private @Nullable FreeList[] free = new @Nullable FreeList[1];

  /**
   * The list used last. Nearly always it is used again, and found without waiting for the table.
   */
  private FreeList lastFree = new FreeList();

  private int lastStream = Streams.DEFAULT;

  private @Nullable UnmappedBlocks[] unmapped = new @Nullable UnmappedBlocks[1];
  private long searches;

  Pool(int number, boolean small, @Nullable PrivatePool owner, Blocks blocks, TieBreak tieBreak) {
    this.number = number;
    this.small = small;
    this.owner = owner;
    this.blocks = blocks;
    this.registrationMask = tieBreak == TieBreak.SEGMENT_AGE ? Blocks.REGISTRATION_MASK : 0;
    free[lastStream] = lastFree;
  }

  int number() {
    return number;
  }

  boolean isSmall() {
    return small;
  }

  @Nullable PrivatePool owner() {
    return owner;
  }

  PoolId id() {
    return owner == null ? PoolId.DEFAULT : owner.id();
  }

  boolean maySplit() {
    return owner == null || owner.maySplit();
  }

  /** The inactive mapped blocks of a stream. */
  FreeList free(int stream) {
    if (stream == lastStream) {
      return lastFree;
    }
    if (stream >= free.length) {
      free = Arrays.copyOf(free, stream + 1);
    }
    FreeList list = free[stream];
    if (list == null) {
      list = new FreeList();
      free[stream] = list;
    }
    lastFree = list;
    lastStream = stream;
    return list;
  }

  /** The unmapped blocks of a stream. */
  UnmappedBlocks unmapped(int stream) {
    if (stream >= unmapped.length) {
      unmapped = Arrays.copyOf(unmapped, stream + 1);
    }
    UnmappedBlocks list = unmapped[stream];
    if (list == null) {
      list = new UnmappedBlocks(blocks);
      unmapped[stream] = list;
    }
    return list;
  }

  /** Puts an inactive block where it can be found. */
  void insert(int block) {
    if (searches != 0) {
      blocks.setAgeBase(block, searches);
    }
    free(blocks.stream(block)).insert(key0(block), key1(block));
  }

  void remove(int block) {
    if (!free(blocks.stream(block)).remove(key0(block), key1(block))) {
      throw new IllegalStateException(
          "Block at 0x" + Long.toHexString(blocks.address(block)) + " is in no free list.");
    }
  }

  /**
   * Where an inactive block stands among the sorted ones of its stream, or {@link
   * SortedBlocks#NOWHERE}.
   */
  long placeOf(int block) {
    return free(blocks.stream(block)).sorted().placeOf(key0(block), key1(block));
  }

  private long key0(int block) {
    return SortedBlocks.key0(blocks.bytes(block), blocks.registration(block) & registrationMask);
  }

  private long key1(int block) {
    return SortedBlocks.key1(blocks.address(block), block);
  }

  void insertUnmapped(int block) {
    unmapped(blocks.stream(block)).insert(block);
  }

  void removeUnmapped(int block) {
    unmapped(blocks.stream(block)).remove(block);
  }

  /** Counts searches, as a clock for the age of free blocks. */
  void countSearch() {
    searches++;
  }

  /** How many searches a free block has outlived. */
  long age(int block) {
    return searches - blocks.ageBase(block);
  }

  /** A copy of all inactive mapped blocks, by (stream, size, tieBreak). */
  int[] freeBlocks() {
    int[] result = NO_BLOCKS;
    for (FreeList list : free) {
      if (list != null && list.size() > 0) {
        int at = result.length;
        result = Arrays.copyOf(result, at + list.size());
        SortedBlocks sorted = list.sorted();
        for (long place = sorted.first(); place != SortedBlocks.NOWHERE; ) {
          result[at++] = sorted.block(place);
          place = sorted.next(place);
        }
      }
    }
    return result;
  }

  long freeBytes() {
    long bytes = 0;
    for (int block : freeBlocks()) {
      bytes += blocks.bytes(block);
    }
    return bytes;
  }

  long largestFreeBytes() {
    long largest = 0;
    for (FreeList list : free) {
      if (list != null && list.size() > 0) {
        SortedBlocks sorted = list.sorted();
        largest = Math.max(largest, blocks.bytes(sorted.block(sorted.last())));
      }
    }
    return largest;
  }

  boolean contains(int block) {
    return placeOf(block) != SortedBlocks.NOWHERE;
  }

  int freeCount() {
    return freeBlocks().length;
  }

  void checkInvariants() {
    for (int stream = 0; stream < free.length; stream++) {
      FreeList list = free[stream];
      if (list != null) {
        list.checkInvariants();
      }
    }
    for (int block : freeBlocks()) {
      Laws.require(blocks.pool(block) == number, "free block in its pool", block);
      Laws.require(contains(block), "free block under its keys", block);
    }
  }
}
