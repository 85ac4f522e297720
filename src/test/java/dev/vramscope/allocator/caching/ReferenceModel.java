package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.blocks.TieBreak;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules for plain segments, written as simply as possible: objects and one ordered set, without
 * bins and packed records. It has its own device and shares no code with the allocator under test.
 */
final class ReferenceModel {
  private static final long MIB = 1L << 20;

  private static final class Block {
    private final long segment;
    private final boolean small;
    private final int stream;
    private long address;
    private long bytes;
    private boolean active;
    private @Nullable Block previous;
    private @Nullable Block next;
    private final Set<Integer> uses = new LinkedHashSet<>();
    private int events;

    private Block(long segment, boolean small, int stream, long address, long bytes) {
      this.segment = segment;
      this.small = small;
      this.stream = stream;
      this.address = address;
      this.bytes = bytes;
    }

    private boolean isSplit() {
      return previous != null || next != null;
    }
  }

  private record PendingEvent(long event, Block block) {}

  private final long deviceBytes;
  private final NavigableSet<Block> free;
  private final Map<Integer, Block> live = new HashMap<>();
  private final TreeMap<Long, Long> device = new TreeMap<>();
  private final Map<Integer, List<PendingEvent>> pending = new TreeMap<>();
  private final Map<Integer, Long> recorded = new LinkedHashMap<>();
  private final Map<Integer, Long> done = new HashMap<>();
  private long segments;
  private long reservedBytes;
  private double fraction = 1;

  ReferenceModel(long deviceBytes, TieBreak tieBreak) {
    this.deviceBytes = deviceBytes;
    Comparator<Block> order =
        Comparator.<Block, Boolean>comparing(block -> block.small)
            .thenComparingInt(block -> block.stream)
            .thenComparingLong(block -> block.bytes);
    if (tieBreak == TieBreak.SEGMENT_AGE) {
      order = order.thenComparingLong(block -> block.segment);
    }
    free = new TreeSet<>(order.thenComparingLong(block -> block.address));
  }

  long reservedBytes() {
    return reservedBytes;
  }

  /** The address, relative to the first one, or -1 if the device is out of memory. */
  long allocate(int id, long requested, int stream) {
    collect();
    long bytes = Math.max(512, (requested + 511) / 512 * 512);
    boolean small = bytes <= MIB;
    Block block = take(small, stream, bytes);
    if (block == null) {
      block = acquire(small, stream, bytes);
    }
    if (block == null) {
      emptyCache();
      block = acquire(small, stream, bytes);
    }
    if (block == null) {
      return -1;
    }
    long rest = block.bytes - bytes;
    if (small ? rest >= 512 : rest > MIB) {
      block = splitFront(block, bytes);
    }
    block.active = true;
    live.put(id, block);
    return block.address;
  }

  private @Nullable Block take(boolean small, int stream, long bytes) {
    Block block = free.ceiling(new Block(-1, small, stream, -1, bytes));
    if (block == null || block.small != small || block.stream != stream) {
      return null;
    }
    free.remove(block);
    return block;
  }

  private @Nullable Block acquire(boolean small, int stream, long bytes) {
    long wanted =
        small
            ? 2 * MIB
            : bytes < 10 * MIB ? 20 * MIB : (bytes + 2 * MIB - 1) / (2 * MIB) * (2 * MIB);
    long allowed = fraction < 1 ? Math.round(fraction * deviceBytes) : Long.MAX_VALUE;
    if (reservedBytes + wanted > Math.min(allowed, deviceBytes)) {
      return null;
    }
    long address = 0;
    for (Map.Entry<Long, Long> segment : device.entrySet()) {
      if (segment.getKey() - address >= wanted) {
        break;
      }
      address = segment.getKey() + segment.getValue();
    }
    device.put(address, wanted);
    reservedBytes += wanted;
    return new Block(segments++, small, stream, address, wanted);
  }

  private Block splitFront(Block rest, long bytes) {
    Block front = new Block(rest.segment, rest.small, rest.stream, rest.address, bytes);
    front.previous = rest.previous;
    front.next = rest;
    if (front.previous != null) {
      front.previous.next = front;
    }
    rest.previous = front;
    rest.address += bytes;
    rest.bytes -= bytes;
    free.add(rest);
    return front;
  }

  void free(int id) {
    Block block = live.remove(id);
    if (block == null) {
      return;
    }
    for (int stream : block.uses) {
      long event = recorded.merge(stream, 1L, Long::sum);
      pending.computeIfAbsent(stream, s -> new ArrayList<>()).add(new PendingEvent(event, block));
      block.events++;
    }
    block.uses.clear();
    if (block.events == 0) {
      complete(block);
    }
  }

  private void complete(Block block) {
    block.active = false;
    Block before = block.previous;
    if (before != null && !before.active) {
      free.remove(before);
      block.address = before.address;
      block.bytes += before.bytes;
      block.previous = before.previous;
      if (block.previous != null) {
        block.previous.next = block;
      }
    }
    Block after = block.next;
    if (after != null && !after.active) {
      free.remove(after);
      block.bytes += after.bytes;
      block.next = after.next;
      if (block.next != null) {
        block.next.previous = block;
      }
    }
    free.add(block);
  }

  void recordStream(int id, int stream) {
    Block block = live.get(id);
    if (block != null && block.stream != stream) {
      block.uses.add(stream);
    }
  }

  void synchronize(int stream) {
    done.put(stream, recorded.getOrDefault(stream, 0L));
  }

  private void collect() {
    pending.forEach(
        (stream, events) -> {
          while (!events.isEmpty() && events.getFirst().event() <= done.getOrDefault(stream, 0L)) {
            finish(events.removeFirst().block());
          }
        });
  }

  private void finish(Block block) {
    if (--block.events == 0) {
      complete(block);
    }
  }

  void emptyCache() {
    pending.forEach(
        (stream, events) -> {
          events.forEach(event -> finish(event.block()));
          if (!events.isEmpty()) {
            done.merge(stream, events.getLast().event(), Math::max);
          }
          events.clear();
        });
    for (Block block : List.copyOf(free)) {
      if (!block.isSplit()) {
        free.remove(block);
        device.remove(block.address);
        reservedBytes -= block.bytes;
      }
    }
  }

  void setFraction(double share) {
    fraction = share;
  }
}
