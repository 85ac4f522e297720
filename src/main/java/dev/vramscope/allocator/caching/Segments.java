package dev.vramscope.allocator.caching;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The segments of one allocator, by number and by address, with the first block of each. */
final class Segments {
  private final TreeMap<Long, Segment> byAddress = new TreeMap<>();
  private final List<@Nullable Segment> byNumber = new ArrayList<>();
  private final Deque<Integer> freeNumbers = new ArrayDeque<>();
  private int[] firstBlock = new int[16];
  private long registrations;

  /** A number for a new segment. */
  int takeNumber() {
    Integer free = freeNumbers.poll();
    if (free != null) {
      return free;
    }
    byNumber.add(null);
    return byNumber.size() - 1;
  }

  long nextRegistration() {
    return registrations++;
  }

  void add(Segment segment, int block) {
    byNumber.set(segment.number(), segment);
    byAddress.put(segment.address(), segment);
    if (segment.number() >= firstBlock.length) {
      firstBlock = Arrays.copyOf(firstBlock, 2 * segment.number());
    }
    firstBlock[segment.number()] = block;
  }

  void remove(Segment segment) {
    byNumber.set(segment.number(), null);
    byAddress.remove(segment.address());
    freeNumbers.add(segment.number());
  }

  Segment get(int number) {
    Segment segment = byNumber.get(number);
    if (segment == null) {
      throw new IllegalStateException("There is no segment " + number + ".");
    }
    return segment;
  }

  ExpandableSegment expandable(int number) {
    return (ExpandableSegment) get(number);
  }

  int firstBlock(int number) {
    return firstBlock[number];
  }

  void setFirstBlock(int number, int block) {
    firstBlock[number] = block;
  }

  /** In address order. */
  Collection<Segment> all() {
    return byAddress.values();
  }

  /** The segment that begins at or before an address, closest to it. */
  @Nullable Segment atOrBefore(long address) {
    Map.Entry<Long, Segment> entry = byAddress.floorEntry(address);
    return entry == null ? null : entry.getValue();
  }
}
