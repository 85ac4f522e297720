package dev.vramscope.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Pairs the blocks that were allocated before the recordings began, which have no stacks. */
final class EarlierBlocks {
  private EarlierBlocks() {}

  static void pair(PlannedOperations a, PlannedOperations b, SizePairs sizes, int[] partners) {
    Map<Long, Deque<Integer>> bySize = new HashMap<>();
    for (int j = 0; j < b.earlier(); j++) {
      bySize.computeIfAbsent(b.bytes(j), _ -> new ArrayDeque<>()).add(j);
    }
    List<Integer> rest = new ArrayList<>();
    for (int i = 0; i < a.earlier(); i++) {
      Deque<Integer> same = bySize.get(a.bytes(i));
      Integer j = same == null ? null : same.poll();
      if (j == null) {
        rest.add(i);
      } else {
        partners[i] = j;
      }
    }
    List<Integer> otherRest = new ArrayList<>();
    bySize.values().forEach(otherRest::addAll);
    if (rest.size() == otherRest.size()) {
      rest.sort(Comparator.comparingLong(a::bytes));
      otherRest.sort(Comparator.comparingLong(b::bytes));
      for (int at = 0; at < rest.size(); at++) {
        if (sizes.arePossible(a.bytes(rest.get(at)), b.bytes(otherRest.get(at)))) {
          partners[rest.get(at)] = otherRest.get(at);
        }
      }
    }
  }
}
