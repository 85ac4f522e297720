package dev.vramscope.live.feed;

import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.TraceAction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A copy of an allocator's segments and active blocks that is updated by its events. Every change
 * has a version, so that the changes since an earlier version can be found. Not thread-safe.
 *
 * <p>An event that contradicts the copy does not change it; the caller then has to {@link #reset}
 * it to a captured state.
 */
final class AllocatorReplica {
  /**
   * The number of removed segments that are remembered; a viewer that missed more gets a complete
   * frame.
   */
  private static final int MAX_REMOVALS = 4096;

  /** A removed segment, and the version that removed it. */
  private record Removal(long version, long id) {}

  private final PoolTable pools;
  private final SiteTable sites;
  private final NavigableMap<Long, ReplicaSegment> segments = new TreeMap<>();
  private final Deque<Removal> removals = new ArrayDeque<>();
  private final MemoryLevels levels = new MemoryLevels();
  private long nextId = 1;
  private long version;

  /** The earliest version since which all removals are known. */
  private long removalsKnownSince;

  private long shortLived;

  AllocatorReplica(PoolTable pools, SiteTable sites) {
    this.pools = pools;
    this.sites = sites;
  }

  // Versions -----------------------------------------------------------------------------------

  /** Starts the next version. */
  void beginVersion() {
    version++;
    levels.beginVersion();
  }

  long version() {
    return version;
  }

  /** Whether {@link #removedSince} is complete. */
  boolean hasRemovalsSince(long since) {
    return since >= removalsKnownSince;
  }

  List<Long> removedSince(long since) {
    List<Long> ids = new ArrayList<>();
    for (Removal each : removals) {
      if (each.version > since) {
        ids.add(each.id);
      }
    }
    return ids;
  }

  Iterable<ReplicaSegment> segments() {
    return segments.values();
  }

  MemoryLevels levels() {
    return levels;
  }

  /** The number of blocks that were allocated and freed within one version and are in no frame. */
  long shortLivedCount() {
    return shortLived;
  }

  // Complete state -----------------------------------------------------------------------------

  /** Replaces the copy with a captured state. The extremes between the two states are unknown. */
  void reset(List<SegmentView> state, LongToIntFunction contexts) {
    segments.clear();
    removals.clear();
    removalsKnownSince = version;
    levels.clear();
    for (SegmentView view : state) {
      ReplicaSegment segment =
          add(
              view.address(),
              view.bytes(),
              view.stream(),
              pools.indexOf(view.pool(), view.large(), version),
              view.expandable());
      for (BlockView block : view.blocks()) {
        if (block.state().isActive()) {
          boolean pending = block.state() == BlockState.PENDING_FREE;
          segment.put(
              new ReplicaBlock(
                  block.address(),
                  block.bytes(),
                  block.requestedBytes(),
                  sites.of(contexts.applyAsInt(block.address()), version),
                  version,
                  pending,
                  block.awaited()));
          levels.activated(block.bytes(), block.requestedBytes());
          if (!pending) {
            levels.allocated(block.bytes());
          }
        }
      }
    }
    levels.beginVersion();
  }

  // Events -------------------------------------------------------------------------------------

  /**
   * Applies an event. Returns false if it contradicts the copy, which means that events are
   * missing.
   */
  boolean apply(FeedRing ring, long number) {
    int kind = ring.kind(number);
    long address = ring.address(number);
    if (kind == FeedRing.FREE_PENDING) {
      return updateAwaited(address, ring.stream(number), /* begins= */ true);
    }
    if (kind == FeedRing.WAIT_COMPLETED) {
      return updateAwaited(address, ring.stream(number), /* begins= */ false);
    }
    return switch (TraceAction.ofCode((byte) kind)) {
      case ALLOC -> allocated(ring, number);
      case FREE_REQUESTED -> freeRequested(address);
      case FREE_COMPLETED -> freeCompleted(address);
      case SEGMENT_ALLOC -> acquired(ring, number, /* expandable= */ false);
      case SEGMENT_FREE -> released(address, ring.bytes(number));
      case SEGMENT_MAP -> mapped(ring, number);
      case SEGMENT_UNMAP -> unmapped(address, ring.bytes(number));
      case SNAPSHOT, OOM, ANNOTATE, USER_DEFINED, OTHER -> true;
    };
  }

  private boolean allocated(FeedRing ring, long number) {
    long address = ring.address(number);
    long bytes = ring.extra(number);
    ReplicaSegment segment = segmentAt(address);
    if (segment == null || !segment.isInactive(address, address + bytes)) {
      return false;
    }
    long requested = ring.bytes(number);
    int site = sites.of(ring.context(number), version);
    segment.put(
        new ReplicaBlock(
            address, bytes, requested, site, version, /* pending= */ false, List.of()));
    levels.activated(bytes, requested);
    levels.allocated(bytes);
    segment.version = version;
    return true;
  }

  private boolean freeRequested(long address) {
    ReplicaSegment segment = segmentAt(address);
    ReplicaBlock block = segment == null ? null : segment.block(address);
    if (segment == null || block == null || block.pending()) {
      return false;
    }
    segment.put(block.freed());
    levels.allocated(-block.bytes());
    segment.version = version;
    return true;
  }

  private boolean updateAwaited(long address, int stream, boolean begins) {
    ReplicaSegment segment = segmentAt(address);
    ReplicaBlock block = segment == null ? null : segment.block(address);
    if (segment == null || block == null || !block.pending()) {
      return false;
    }
    List<Integer> streams = new ArrayList<>(block.awaited());
    streams.removeIf(each -> each == stream);
    if (begins) {
      streams.add(stream);
      streams.sort(null);
    }
    segment.put(block.awaiting(List.copyOf(streams)));
    segment.version = version;
    return true;
  }

  private boolean freeCompleted(long address) {
    ReplicaSegment segment = segmentAt(address);
    ReplicaBlock block = segment == null ? null : segment.block(address);
    if (segment == null || block == null || !block.pending()) {
      return false;
    }
    segment.remove(address);
    levels.activated(-block.bytes(), -block.requestedBytes());
    shortLived += block.firstVersion() == version ? 1 : 0;
    segment.version = version;
    return true;
  }

  private boolean acquired(FeedRing ring, long number, boolean expandable) {
    long address = ring.address(number);
    long bytes = ring.bytes(number);
    if (overlapsSegment(address, address + bytes)) {
      return false;
    }
    int pool = pools.indexOf(ring.pool(number), version);
    add(address, bytes, ring.stream(number), pool, expandable);
    return true;
  }

  private boolean released(long address, long bytes) {
    ReplicaSegment segment = segments.get(address);
    if (segment == null || segment.bytes != bytes || !segment.isEmpty()) {
      return false;
    }
    remove(segment);
    return true;
  }

  /** Adds a mapped range and joins it with adjacent runs. */
  private boolean mapped(FeedRing ring, long number) {
    if (!acquired(ring, number, /* expandable= */ true)) {
      return false;
    }
    ReplicaSegment run = segmentAt(ring.address(number));
    if (run == null) {
      return false;
    }
    ReplicaSegment before = joinable(segments.lowerEntry(run.address), run);
    if (before != null && before.endAddress() == run.address) {
      join(before, run);
      run = before;
    }
    ReplicaSegment after = joinable(segments.higherEntry(run.address), run);
    if (after != null && run.endAddress() == after.address) {
      join(run, after);
    }
    return true;
  }

  private static @Nullable ReplicaSegment joinable(
      Map.@Nullable Entry<Long, ReplicaSegment> entry, ReplicaSegment run) {
    if (entry == null) {
      return null;
    }
    ReplicaSegment other = entry.getValue();
    boolean matches = other.expandable && other.stream == run.stream && other.pool == run.pool;
    return matches ? other : null;
  }

  private void join(ReplicaSegment first, ReplicaSegment second) {
    segments.remove(second.address);
    recordRemoval(second);
    first.append(second);
    first.version = version;
  }

  /** Removes a range from its run; the parts before and after remain. */
  private boolean unmapped(long address, long bytes) {
    ReplicaSegment run = segmentAt(address);
    long end = address + bytes;
    if (run == null || !run.isInactive(address, end)) {
      return false;
    }
    long runEnd = run.endAddress();
    ReplicaSegment remainder = null;
    if (runEnd > end) {
      remainder =
          new ReplicaSegment(
              nextId++, end, runEnd - end, run.stream, run.pool, /* expandable= */ true);
      remainder.version = version;
      segments.put(end, remainder);
    }
    run.truncate(address, remainder);
    run.version = version;
    levels.reserved(-bytes);
    if (run.bytes == 0) {
      segments.remove(run.address);
      recordRemoval(run);
    }
    return true;
  }

  // Segments -----------------------------------------------------------------------------------

  private ReplicaSegment add(long address, long bytes, int stream, int pool, boolean expandable) {
    ReplicaSegment segment = new ReplicaSegment(nextId++, address, bytes, stream, pool, expandable);
    segment.version = version;
    segments.put(address, segment);
    levels.reserved(bytes);
    return segment;
  }

  private void remove(ReplicaSegment segment) {
    segments.remove(segment.address);
    levels.reserved(-segment.bytes);
    recordRemoval(segment);
  }

  private void recordRemoval(ReplicaSegment segment) {
    removals.add(new Removal(version, segment.id));
    if (removals.size() > MAX_REMOVALS) {
      removalsKnownSince = removals.remove().version;
    }
  }

  private @Nullable ReplicaSegment segmentAt(long address) {
    Map.Entry<Long, ReplicaSegment> entry = segments.floorEntry(address);
    return entry != null && address < entry.getValue().endAddress() ? entry.getValue() : null;
  }

  private boolean overlapsSegment(long from, long to) {
    Map.Entry<Long, ReplicaSegment> before = segments.lowerEntry(to);
    return before != null && before.getValue().endAddress() > from;
  }
}
