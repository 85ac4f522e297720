package dev.vramscope.allocator.caching.blocks;

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
public final class Segments {
  private final TreeMap<Long, HeldSegment> byAddress = new TreeMap<>();
  private final List<@Nullable HeldSegment> byNumber = new ArrayList<>();
  private final Deque<Integer> freeNumbers = new ArrayDeque<>();
  private int[] firstBlock = new int[16];
  private long registrations;

  /** A number for a new segment. */
  public int takeNumber() {
    Integer free = freeNumbers.poll();
    if (free != null) {
      return free;
    }
    byNumber.add(null);
    return byNumber.size() - 1;
  }

  public long nextRegistration() {
    return registrations++;
  }

  public void add(HeldSegment segment, int block) {
    byNumber.set(segment.number(), segment);
    byAddress.put(segment.address(), segment);
    if (segment.number() >= firstBlock.length) {
      firstBlock = Arrays.copyOf(firstBlock, 2 * segment.number());
    }
    firstBlock[segment.number()] = block;
  }

  public void remove(HeldSegment segment) {
    byNumber.set(segment.number(), null);
    byAddress.remove(segment.address());
    freeNumbers.add(segment.number());
  }

  public HeldSegment get(int number) {
    HeldSegment segment = byNumber.get(number);
    if (segment == null) {
      throw new IllegalStateException("There is no segment " + number + ".");
    }
    return segment;
  }

  public ExpandableSegment expandable(int number) {
    return (ExpandableSegment) get(number);
  }

  public int firstBlock(int number) {
    return firstBlock[number];
  }

  void setFirstBlock(int number, int block) {
    firstBlock[number] = block;
  }

  /** In address order. */
  public Collection<HeldSegment> all() {
    return byAddress.values();
  }

  /** The segment that begins at or before an address, closest to it. */
  @Nullable HeldSegment atOrBefore(long address) {
    Map.Entry<Long, HeldSegment> entry = byAddress.floorEntry(address);
    return entry == null ? null : entry.getValue();
  }
}
