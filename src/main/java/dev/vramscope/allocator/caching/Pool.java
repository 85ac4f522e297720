package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Invariants;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.FreeList;
import dev.vramscope.allocator.caching.blocks.SortedBlocks;
import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.allocator.caching.blocks.UnmappedBlocks;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A small or large pool, of the default pair or of a {@link PrivatePool}: its inactive blocks,
 * mapped and unmapped, by stream.
 */
final class Pool {
  private static final int NO_STREAM = -1;

  /** The free blocks of a stream that has none. */
  private static final FreeList NO_BLOCKS = new FreeList();

  private final int number;
  private final PoolKind kind;
  private final boolean small;
  private final @Nullable PrivatePool owner;
  private final Blocks blocks;
  private final long registrationMask;
  private final ByStream<FreeList> free = new ByStream<>();

  /** The list used last. It is nearly always used next, so the table look-up is avoided. */
  private FreeList lastFree = NO_BLOCKS;

  private int lastStream = NO_STREAM;

  private final ByStream<UnmappedBlocks> unmapped = new ByStream<>();
  private long searches;

  Pool(int number, PoolKind kind, @Nullable PrivatePool owner, Blocks blocks, TieBreak tieBreak) {
    this.number = number;
    this.kind = kind;
    this.small = kind == PoolKind.SMALL;
    this.owner = owner;
    this.blocks = blocks;
    this.registrationMask = tieBreak == TieBreak.SEGMENT_AGE ? Blocks.REGISTRATION_MASK : 0;
  }

  int number() {
    return number;
  }

  PoolKind kind() {
    return kind;
  }

  boolean isSmall() {
    return small;
  }

  /** The private pool that this one belongs to, or null for a default pool. */
  @Nullable PrivatePool owner() {
    return owner;
  }

  PoolId id() {
    return owner == null ? PoolId.DEFAULT : owner.id();
  }

  /** Counts memory acquired (or, if negative, released) for the private pool, if there is one. */
  void addReserved(long bytes) {
    if (owner != null) {
      owner.addReserved(bytes);
    }
  }

  boolean maySplit() {
    return owner == null || owner.maySplit();
  }

  /** The inactive mapped blocks of a stream. */
  FreeList free(int stream) {
    if (stream == lastStream) {
      return lastFree;
    }
    FreeList list = free.get(stream);
    if (list == null) {
      list = new FreeList();
      free.add(stream, list);
    }
    lastFree = list;
    lastStream = stream;
    return list;
  }

  /** The unmapped blocks of a stream. */
  UnmappedBlocks unmapped(int stream) {
    UnmappedBlocks list = unmapped.get(stream);
    if (list == null) {
      list = new UnmappedBlocks(blocks);
      unmapped.add(stream, list);
    }
    return list;
  }

  /** Adds an inactive mapped block to its free list. */
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
   * The position of a block among the sorted inactive ones of its stream, or {@link
   * SortedBlocks#NOT_FOUND}.
   */
  long positionOf(int block) {
    return free(blocks.stream(block)).sorted().positionOf(key0(block), key1(block));
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

  /** A copy of all unmapped blocks, by stream and address. */
  int[] unmappedBlocks() {
    return Arrays.stream(unmapped.streams())
        .mapToObj(unmapped::require)
        .flatMapToInt(UnmappedBlocks::stream)
        .toArray();
  }

  /** Counts a search; searches are the clock for the age of free blocks. */
  void countSearch() {
    searches++;
  }

  /** The number of searches since a block became free. */
  long age(int block) {
    return searches - blocks.ageBase(block);
  }

  /** A copy of all inactive mapped blocks, by stream, size and {@link TieBreak}. */
  int[] freeBlocks() {
    forgetEmptyLists();
    int[] result = new int[freeCount()];
    int at = 0;
    for (int stream : free.streams()) {
      SortedBlocks sorted = free.require(stream).sorted();
      for (long position = sorted.first();
          position != SortedBlocks.NOT_FOUND;
          position = sorted.next(position)) {
        result[at++] = sorted.block(position);
      }
    }
    return result;
  }

  /** Streams without inactive blocks take no time, however many were used in the past. */
  private void forgetEmptyLists() {
    free.removeIf(list -> list.size() == 0);
    lastFree = NO_BLOCKS;
    lastStream = NO_STREAM;
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
    for (int stream : free.streams()) {
      SortedBlocks sorted = free.require(stream).sorted();
      if (sorted.size() > 0) {
        largest = Math.max(largest, blocks.bytes(sorted.block(sorted.last())));
      }
    }
    return largest;
  }

  boolean contains(int block) {
    return positionOf(block) != SortedBlocks.NOT_FOUND;
  }

  int freeCount() {
    int count = 0;
    for (int stream : free.streams()) {
      count += free.require(stream).size();
    }
    return count;
  }

  void checkInvariants() {
    for (int stream : free.streams()) {
      free.require(stream).checkInvariants();
    }
    for (int block : freeBlocks()) {
      Invariants.require(
          blocks.pool(block) == number, "free blocks have the number of their pool", block);
      Invariants.require(contains(block), "free blocks are found by their keys", block);
    }
  }
}
