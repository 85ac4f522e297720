package dev.vramscope.analysis;

import dev.vramscope.model.StackTable;
import java.util.BitSet;

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

  /** Those that are active after an event. */
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

  /** The numbers of the frames that are the sites of these allocations. */
  public BitSet siteFrames(StackClasses stacks) {
    BitSet frames = new BitSet();
    for (int row = 0; row < lifetimes.size(); row++) {
      int stack = lifetimes.stack(row);
      if (stack != StackTable.NONE && isFound(row)) {
        frames.set(stacks.stacks().frameNumber(stacks.siteOf(stack)));
      }
    }
    return frames;
  }

  private boolean isFound(int row) {
    return search.matches(lifetimes.stack(row));
  }
}
