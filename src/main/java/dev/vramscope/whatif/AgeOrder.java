package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.RestoredSegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The order of age of segments that were acquired before the recording. Since PyTorch 2.14 the
 * oldest segment's block is used first of several equal ones, so a placement among equal blocks
 * shows which segment is older.
 */
final class AgeOrder {
  private final List<RestoredSegment> segments;
  private final TreeMap<Long, Integer> byAddress = new TreeMap<>(Long::compareUnsigned);

  /** The segments that are younger than each. */
  private final Map<Integer, Set<Integer>> younger = new HashMap<>();

  AgeOrder(List<RestoredSegment> segments) {
    this.segments = segments;
    for (int i = 0; i < segments.size(); i++) {
      byAddress.put(segments.get(i).address(), i);
    }
  }

  /**
   * Learns from a placement: the segment of the first address is older than that of the other.
   *
   * @return whether it is new
   */
  boolean learn(long address, long youngerAddress) {
    Integer older = indexOf(address);
    Integer other = indexOf(youngerAddress);
    return older != null
        && other != null
        && !older.equals(other)
        && younger.computeIfAbsent(older, _ -> new HashSet<>()).add(other);
  }

  private @Nullable Integer indexOf(long address) {
    Map.Entry<Long, Integer> below = byAddress.floorEntry(address);
    return below == null || address >= segments.get(below.getValue()).end()
        ? null
        : below.getValue();
  }

  /** The segments in an order that agrees with all placements, or with most if they contradict. */
  List<RestoredSegment> oldestFirst() {
    int[] older = new int[segments.size()];
    younger.values().forEach(all -> all.forEach(index -> older[index]++));
    PriorityQueue<Integer> ready = new PriorityQueue<>();
    for (int i = 0; i < older.length; i++) {
      if (older[i] == 0) {
        ready.add(i);
      }
    }
    List<RestoredSegment> ordered = new ArrayList<>();
    boolean[] placed = new boolean[older.length];
    while (!ready.isEmpty()) {
      int next = ready.remove();
      placed[next] = true;
      ordered.add(segments.get(next));
      for (int index : younger.getOrDefault(next, Set.of())) {
        if (--older[index] == 0) {
          ready.add(index);
        }
      }
    }
    for (int i = 0; i < placed.length; i++) {
      if (!placed[i]) {
        ordered.add(segments.get(i));
      }
    }
    return ordered;
  }
}
