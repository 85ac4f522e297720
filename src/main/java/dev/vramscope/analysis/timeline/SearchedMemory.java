package dev.vramscope.analysis.timeline;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.stacks.StackSearch;
import dev.vramscope.model.StackTable;
import java.util.HashMap;
import java.util.Map;

/** The allocations of a device whose stacks a search finds. */
public final class SearchedMemory {
  private final Lifetimes lifetimes;
  private final StackSearch search;

  public SearchedMemory(Lifetimes lifetimes, StackSearch search) {
    this.lifetimes = lifetimes;
    this.search = search;
  }

  /**
   * Some allocations.
   *
   * @param bytes the requested bytes of all
   */
  public record Amount(int count, long bytes) {}

  /** All of the recording. */
  public Amount all() {
    int count = 0;
    long bytes = 0;
    for (int row = 0; row < lifetimes.size(); row++) {
      if (isFound(row)) {
        count++;
        bytes += lifetimes.bytes(row);
      }
    }
    return new Amount(count, bytes);
  }

  /** The matching allocations that are active after an event. */
  public Amount at(int event) {
    int count = 0;
    long bytes = 0;
    for (int row = 0; row < lifetimes.size(); row++) {
      if (isFound(row) && lifetimes.isActiveAt(row, event)) {
        count++;
        bytes += lifetimes.bytes(row);
      }
    }
    return new Amount(count, bytes);
  }

  /** The first stack that is found at each site, by the number of the site's frame. */
  public Map<Integer, Integer> siteStacks(StackClasses stacks) {
    Map<Integer, Integer> stackByFrame = new HashMap<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      int stack = lifetimes.stack(row);
      if (stack != StackTable.NONE && isFound(row)) {
        stackByFrame.putIfAbsent(stacks.stacks().frameNumber(stacks.siteOf(stack)), stack);
      }
    }
    return stackByFrame;
  }

  private boolean isFound(int row) {
    return search.matches(lifetimes.stack(row));
  }
}
