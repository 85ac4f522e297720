package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.ExpandableSegment;
import dev.vramscope.allocator.caching.blocks.SegmentLayout;
import dev.vramscope.allocator.caching.blocks.Segments;
import dev.vramscope.allocator.caching.blocks.UnmappedBlocks;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.device.Device;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Grows and shrinks expandable segments: address reservations for a stream and pool, an eighth
 * larger than the device, into which pages are mapped where blocks need them.
 */
final class ExpandableSegments {
  private final Blocks blocks;
  private final SegmentLayout layout;
  private final Segments segments;
  private final Configuration configuration;
  private final MemoryLimit limit;
  private final Statistics statistics;
  private final Listeners listeners;
  private final Client client;
  private final Device device;
  private final ReleaseRanking ranking;

  /** In order of creation. */
  private final Set<ExpandableSegment> all = new LinkedHashSet<>();

  ExpandableSegments(CachingState state) {
    this.blocks = state.blocks;
    this.layout = state.layout;
    this.segments = state.segments;
    this.configuration = state.configuration;
    this.limit = state.limit;
    this.statistics = state.statistics;
    this.listeners = state.listeners;
    this.client = state.client;
    this.device = state.device;
    this.ranking = state.ranking;
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
   * @return a mapped block of at least this size that is in no list, or {@link Blocks#NONE} if the
   *     device has not enough memory
   */
  int acquire(Pool pool, int stream, long bytes) {
    if (client == Client.REPLAY && bytes > reservationBytes(pool)) {
      // PyTorch reserves a range that is too short, in vain and each time anew.
      return Blocks.NONE;
    }
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
    // Mapping coalesces the new pages with the mapped block before them, which so grows.
    while (blocks.bytes(block) < bytes) {
      int unmapped = blocks.next(block);
      long missingBytes = bytes - blocks.bytes(block);
      if (!map(pool, unmapped, Math.min(missingBytes, blocks.bytes(unmapped)))) {
        return Blocks.NONE;
      }
      block = unmapped;
    }
    pool.remove(block);
    return block;
  }

  /** The first block of the lowest inactive range, mapped or unmapped, that is long enough. */
  private int growable(Pool pool, int stream, long bytes) {
    UnmappedBlocks unmapped = pool.unmapped(stream);
    for (int i = 0; i < unmapped.size(); i++) {
      int first = unmapped.get(i);
      int before = blocks.previous(first);
      if (isInactive(before)) {
        first = before;
      }
      long inactiveBytes = 0;
      for (int block = first;
          inactiveBytes < bytes && isInactive(block);
          block = blocks.next(block)) {
        inactiveBytes += blocks.bytes(block);
      }
      if (inactiveBytes >= bytes) {
        return first;
      }
    }
    return Blocks.NONE;
  }

  private boolean isInactive(int block) {
    return block != Blocks.NONE && !blocks.has(block, Blocks.ACTIVE);
  }

  private long reservationBytes(Pool pool) {
    long pageBytes = configuration.sizes().pageBytes(pool.kind());
    long deviceBytes = limit.deviceBytes();
    return Math.ceilDiv(deviceBytes + deviceBytes / 8, pageBytes) * pageBytes;
  }

  /** Creates an unmapped segment for the whole device and an eighth more. */
  int reserve(Pool pool, int stream) {
    long pageBytes = configuration.sizes().pageBytes(pool.kind());
    int pageCount = Math.toIntExact(reservationBytes(pool) / pageBytes);
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

  /**
   * Maps whole pages inside an unmapped block.
   *
   * @return a mapped block in no list, or {@link Blocks#NONE} if the device has not enough memory
   * @throws IllegalArgumentException if the range is not one of whole pages inside the block
   */
  int mapAt(Pool pool, int unmapped, long address, long bytes) {
    if (unmapped == Blocks.NONE
        || blocks.has(unmapped, Blocks.MAPPED)
        || address < blocks.address(unmapped)
        || address + bytes > blocks.endAddress(unmapped)
        || !isWholePages(segments.expandable(blocks.segment(unmapped)), address, bytes)) {
      throw new IllegalArgumentException(
          "No pages can be mapped at 0x" + Long.toHexString(address) + " for " + bytes + " bytes.");
    }
    long before = address - blocks.address(unmapped);
    if (before > 0) {
      pool.removeUnmapped(unmapped);
      pool.insertUnmapped(layout.splitFront(unmapped, before));
      pool.insertUnmapped(unmapped);
    }
    if (!map(pool, unmapped, bytes)) {
      return Blocks.NONE;
    }
    pool.remove(unmapped);
    return unmapped;
  }

  private static boolean isWholePages(ExpandableSegment segment, long address, long bytes) {
    return segment.pageStartFrom(address) == address
        && segment.pageEndUpTo(address + bytes) == address + bytes;
  }

  /** Maps the first bytes of an unmapped block, rounded up to pages. */
  private boolean map(Pool pool, int block, long bytes) {
    ExpandableSegment segment = segments.expandable(blocks.segment(block));
    long address = blocks.address(block);
    long mapped = segment.wholePages(bytes);
    if (!segment.map(address, mapped)) {
      return false;
    }
    pool.removeUnmapped(block);
    if (mapped < blocks.bytes(block)) {
      pool.insertUnmapped(layout.splitBack(block, mapped, Blocks.EXPANDABLE));
    }
    blocks.set(block, Blocks.MAPPED);
    absorbMappedNeighbours(pool, block);
    pool.insert(block);
    limit.addHeld(mapped);
    pool.addReserved(mapped);
    statistics.memoryReserved(pool.id(), pool.kind(), mapped);
    listeners.event(TraceAction.SEGMENT_MAP, address, mapped, blocks.stream(block), pool.number());
    ranking.neighboursChanged(block);
    return true;
  }

  private void absorbMappedNeighbours(Pool pool, int block) {
    int before = blocks.previous(block);
    if (layout.canCoalesce(block, before)) {
      pool.remove(before);
      layout.absorbPrevious(block);
    }
    int after = blocks.next(block);
    if (layout.canCoalesce(block, after)) {
      pool.remove(after);
      layout.absorbNext(block);
    }
  }

  /**
   * Unmaps the whole pages inside an inactive block. The parts of the block outside these pages
   * stay inactive. A segment without mapped pages is released.
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
    absorbUnmappedNeighbours(pool, block);
    pool.insertUnmapped(block);
    limit.addHeld(start - end);
    pool.addReserved(start - end);
    statistics.memoryReleased(pool.id(), pool.kind(), end - start);
    listeners.event(
        TraceAction.SEGMENT_UNMAP, start, end - start, blocks.stream(block), pool.number());
    ranking.neighboursChanged(block);
    segment.releaseUnmapped(start, end - start);
    releaseIfUnmapped(pool, block);
  }

  private void absorbUnmappedNeighbours(Pool pool, int block) {
    int before = blocks.previous(block);
    if (layout.canCoalesce(block, before)) {
      pool.removeUnmapped(before);
      layout.absorbPrevious(block);
    }
    int after = blocks.next(block);
    if (layout.canCoalesce(block, after)) {
      pool.removeUnmapped(after);
      layout.absorbNext(block);
    }
  }

  /**
   * Drops the blocks of a pool that is removed. Its segments have no mapped pages: failed requests
   * left them. As in PyTorch their reservations are not released.
   */
  void abandon(Pool pool) {
    for (int block : pool.unmappedBlocks()) {
      ExpandableSegment segment = segments.expandable(blocks.segment(block));
      pool.removeUnmapped(block);
      blocks.remove(block);
      segments.remove(segment);
    }
  }

  private void releaseIfUnmapped(Pool pool, int block) {
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
