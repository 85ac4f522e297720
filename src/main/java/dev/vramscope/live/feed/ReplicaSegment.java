package dev.vramscope.live.feed;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A segment, or a mapped run of an expandable segment, with its active blocks. The bytes between
 * them are inactive; adjacent inactive blocks are always one.
 */
final class ReplicaSegment {
  /** Identifies the segment in frames; never reused. */
  final long id;

  final long address;
  long bytes;
  final int stream;

  /** An index in {@link PoolTable}. */
  final int pool;

  final boolean expandable;

  /** The version that last changed it. */
  long version;

  /** The rows of {@link ReplicaLedger} in version {@link #ledgerVersion}. */
  long[] ledger = {};

  long ledgerVersion = -1;

  private final NavigableMap<Long, ReplicaBlock> blocks = new TreeMap<>();

  ReplicaSegment(long id, long address, long bytes, int stream, int pool, boolean expandable) {
    this.id = id;
    this.address = address;
    this.bytes = bytes;
    this.stream = stream;
    this.pool = pool;
    this.expandable = expandable;
  }

  long endAddress() {
    return address + bytes;
  }

  Iterable<ReplicaBlock> blocks() {
    return blocks.values();
  }

  boolean isEmpty() {
    return blocks.isEmpty();
  }

  @Nullable ReplicaBlock block(long at) {
    return blocks.get(at);
  }

  void put(ReplicaBlock block) {
    blocks.put(block.address(), block);
  }

  void remove(long at) {
    blocks.remove(at);
  }

  /** Whether the range is inside the segment and overlaps no active block. */
  boolean isInactive(long from, long to) {
    if (from < address || to > endAddress()) {
      return false;
    }
    Map.Entry<Long, ReplicaBlock> before = blocks.lowerEntry(to);
    return before == null || before.getValue().endAddress() <= from;
  }

  /** Appends the run that starts where this one ends. */
  void append(ReplicaSegment after) {
    bytes += after.bytes;
    blocks.putAll(after.blocks);
  }

  /** Removes the memory from an address to the end, and moves its blocks to another run. */
  void truncate(long from, @Nullable ReplicaSegment after) {
    bytes = from - address;
    NavigableMap<Long, ReplicaBlock> tail = blocks.tailMap(from, true);
    if (after != null) {
      after.blocks.putAll(tail);
    }
    tail.clear();
  }
}
