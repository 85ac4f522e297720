package dev.vramscope.live.feed;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A segment, or a mapped run of an expandable one, with its active blocks. What lies between them
 * is inactive: free neighbours are always one.
 */
final class ReplicaSegment {
  /** Names the segment in frames; never used again. */
  final long id;

  final long address;
  long bytes;
  final int stream;

  /** The pool's index in the replica's list of pools. */
  final int pool;

  final boolean expandable;

  /** The version that last changed it. */
  long version;

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

  /** Whether the range lies inside and touches no active block. */
  boolean isInactive(long from, long to) {
    if (from < address || to > endAddress()) {
      return false;
    }
    Map.Entry<Long, ReplicaBlock> before = blocks.lowerEntry(to);
    return before == null || before.getValue().endAddress() <= from;
  }

  /** The run behind this one that begins where it ends becomes part of it. */
  void join(ReplicaSegment behind) {
    bytes += behind.bytes;
    blocks.putAll(behind.blocks);
  }

  /** Cuts everything from an address on off, and gives the blocks from another one on to a run. */
  void cut(long from, @Nullable ReplicaSegment behind) {
    bytes = from - address;
    NavigableMap<Long, ReplicaBlock> tail = blocks.tailMap(from, true);
    if (behind != null) {
      behind.blocks.putAll(tail);
    }
    tail.clear();
  }
}
