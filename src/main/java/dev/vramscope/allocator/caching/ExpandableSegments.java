package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.device.Device;
import java.util.ArrayList;
import java.util.List;

/**
 * Grows and shrinks expandable segments: one reservation for each stream and pool, a little larger
 * than the card, into which pages are mapped where blocks need them.
 */
final class ExpandableSegments {
  private final Blocks blocks;
  private final SegmentLayout layout;
  private final Segments segments;
  private final SizeRules sizes;
  private final MemoryLimit limit;
  private final Statistics statistics;
  private final Listeners listeners;
  private final Device device;
  private final ReleaseRanking ranking;

  /** In the order of their making. */
  private final List<ExpandableSegment> all = new ArrayList<>();

  ExpandableSegments(
      Blocks blocks,
      SegmentLayout layout,
      Segments segments,
      SizeRules sizes,
      MemoryLimit limit,
      Statistics statistics,
      Listeners listeners,
      Device device,
      ReleaseRanking ranking) {
    this.blocks = blocks;
    this.layout = layout;
    this.segments = segments;
    this.sizes = sizes;
    this.limit = limit;
    this.statistics = statistics;
    this.listeners = listeners;
    this.device = device;
    this.ranking = ranking;
  }

  List<ExpandableSegmentView> views() {
    List<ExpandableSegmentView> views = new ArrayList<>();
    for (ExpandableSegment segment : all) {
      views.add(
          new ExpandableSegmentView(segment.stream(), segment.isSmall(), segment.mappedBytes()));
    }
    return views;
  }

  /**
   * Maps memory for a request.
   *
   * @return a mapped block of at least this size that stands in no list, or {@link Blocks#NONE} if
   *     the device has not enough memory
   */
  int acquire(Pool pool, int stream, long bytes) {
    int block = growable(pool, stream, bytes);
    if (block == Blocks.NONE) {
      block = reserve(pool, stream);
    }
    if (block == Blocks.NONE) {
      return Blocks.NONE;
    }
    if (!blocks.has(block, Blocks.MAPPED)
        && !map(pool, block, Math.min(blocks.bytes(block), bytes))) {
      return Blocks.NONE;
    }
    // Mapping joins the new pages with what lies before them: the block grows at its end.
    while (blocks.bytes(block) < bytes) {
      int unmapped = blocks.next(block);
      long missing = bytes - blocks.bytes(block);
      if (!map(pool, unmapped, Math.min(missing, blocks.bytes(unmapped)))) {
        return Blocks.NONE;
      }
      block = unmapped;
    }
    pool.remove(block);
    return block;
  }

  /** The lowest inactive stretch, mapped and unmapped, that is long enough; its first block. */
  private int growable(Pool pool, int stream, long bytes) {
    UnmappedBlocks unmapped = pool.unmapped(stream);
    for (int i = 0; i < unmapped.size(); i++) {
      int first = unmapped.get(i);
      int before = blocks.previous(first);
      if (isInactive(before)) {
        first = before;
      }
      long found = 0;
      for (int block = first; found < bytes && isInactive(block); block = blocks.next(block)) {
        found += blocks.bytes(block);
      }
      if (found >= bytes) {
        return first;
      }
    }
    return Blocks.NONE;
  }

  private boolean isInactive(int block) {
    return block != Blocks.NONE && !blocks.has(block, Blocks.ACTIVE);
  }

  /** A new segment, all of it unmapped: room for the whole card and an eighth more. */
  private int reserve(Pool pool, int stream) {
    long pageBytes = sizes.pageBytes(pool.isSmall());
    long deviceBytes = limit.deviceBytes();
    int pageCount = Math.toIntExact(Math.ceilDiv(deviceBytes + deviceBytes / 8, pageBytes));
    long address = device.virtualMemory().reserve(pageCount * pageBytes);
    if (address == 0) {
      return Blocks.NONE;
    }
    ExpandableSegment segment =
        new ExpandableSegment(
            segments.takeNumber(),
            segments.nextRegistration(),
            address,
            stream,
            device,
            pool.isSmall(),
            pageBytes,
            pageCount);
    int block =
        blocks.create(
            address, segment.reservedBytes(), stream, pool.number(), Blocks.EXPANDABLE, segment);
    segments.add(segment, block);
    all.add(segment);
    pool.insertUnmapped(block);
    return block;
  }

  /** Maps the first bytes of an unmapped block, rounded up to pages. */
  private boolean map(Pool pool, int block, long bytes) {
    ExpandableSegment segment = segments.expandable(blocks.segment(block));
    long address = blocks.address(block);
    long mapped = segment.widened(bytes);
    if (!segment.map(address, mapped)) {
      return false;
    }
    pool.removeUnmapped(block);
    if (mapped < blocks.bytes(block)) {
      pool.insertUnmapped(layout.splitBack(block, mapped, Blocks.EXPANDABLE));
    }
    blocks.set(block, Blocks.MAPPED);
    joinMappedNeighbours(pool, block);
    pool.insert(block);
    limit.addHeld(mapped);
    if (pool.owner() != null) {
      pool.owner().addReserved(mapped);
    }
    statistics.memoryReserved(pool.id(), pool.isSmall(), mapped);
    listeners.event(
        AllocatorEvent.SEGMENT_MAP, address, mapped, blocks.stream(block), pool.number());
    ranking.neighboursChanged(block);
    return true;
  }

  private void joinMappedNeighbours(Pool pool, int block) {
    int before = blocks.previous(block);
    if (layout.canJoin(block, before)) {
      pool.remove(before);
      layout.joinPrevious(block);
    }
    int after = blocks.next(block);
    if (layout.canJoin(block, after)) {
      pool.remove(after);
      layout.joinNext(block);
    }
  }

  /**
   * Unmaps the whole pages inside an inactive block. What sticks out of them stays inactive. A
   * segment of which nothing is mapped any more is given back.
   */
  void unmap(Pool pool, int block) {
    ExpandableSegment segment = segments.expandable(blocks.segment(block));
    long start = segment.pageStartFrom(blocks.address(block));
    long end = segment.pageEndUpTo(blocks.endAddress(block));
    if (start >= end) {
      return;
    }
    segment.unmap(start, end - start);
    pool.remove(block);
    long before = start - blocks.address(block);
    if (before > 0) {
      pool.insert(layout.splitFront(block, before));
    }
    if (blocks.endAddress(block) > end) {
      pool.insert(layout.splitBack(block, end - start, blocks.flags(block)));
    }
    blocks.clear(block, Blocks.MAPPED);
    joinUnmappedNeighbours(pool, block);
    pool.insertUnmapped(block);
    limit.addHeld(start - end);
    if (pool.owner() != null) {
      pool.owner().addReserved(start - end);
    }
    statistics.memoryReturned(pool.id(), pool.isSmall(), end - start);
    listeners.event(
        AllocatorEvent.SEGMENT_UNMAP, start, end - start, blocks.stream(block), pool.number());
    ranking.neighboursChanged(block);
    segment.releaseUnmapped(start, end - start);
    giveBackIfUnmapped(pool, block);
  }

  private void joinUnmappedNeighbours(Pool pool, int block) {
    int before = blocks.previous(block);
    if (layout.canJoin(block, before)) {
      pool.removeUnmapped(before);
      layout.joinPrevious(block);
    }
    int after = blocks.next(block);
    if (layout.canJoin(block, after)) {
      pool.removeUnmapped(after);
      layout.joinNext(block);
    }
  }

  /** Gives reservations of a pool back that a failed request left behind. */
  void giveBackUnmapped(Pool pool) {
    for (ExpandableSegment segment : List.copyOf(all)) {
      int block = segments.firstBlock(segment.number());
      if (blocks.pool(block) == pool.number()) {
        giveBackIfUnmapped(pool, block);
      }
    }
  }

  private void giveBackIfUnmapped(Pool pool, int block) {
    if (blocks.has(block, Blocks.MAPPED) || blocks.isSplit(block)) {
      return;
    }
    ExpandableSegment segment = segments.expandable(blocks.segment(block));
    pool.removeUnmapped(block);
    blocks.remove(block);
    all.remove(segment);
    segments.remove(segment);
    segment.release();
  }
}
