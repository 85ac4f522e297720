package dev.vramscope.analysis.diff;

import dev.vramscope.model.StackTable;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Numbers the stacks of two tables so that stacks with the same frames have the same number. Only
 * stacks with active allocations are compared, and their callers.
 */
final class CommonStacks {
  private static final int NONE = -1;

  // Frames are numbers of CommonFrames; the builder never looks them up.
  private final StackTable.Builder nodes = new StackTable.Builder();
  private final int[] before;
  private final int[] after;
  private int count;

  CommonStacks(
      StackTable beforeStacks,
      StackTotals beforeTotals,
      StackTable afterStacks,
      StackTotals afterTotals,
      CommonFrames frames) {
    int[] beforeNodes = number(beforeStacks, beforeTotals, frames::before);
    int[] afterNodes = number(afterStacks, afterTotals, frames::after);
    int[] dense = new int[nodes.nodeCount()];
    Arrays.fill(dense, NONE);
    before = ofStacks(beforeNodes, beforeTotals, dense);
    after = ofStacks(afterNodes, afterTotals, dense);
  }

  private int[] number(StackTable stacks, StackTotals totals, IntUnaryOperator frames) {
    int[] numbers = new int[stacks.nodeCount()];
    // Marks the nodes that are needed; a parent has a smaller id, so it is numbered first.
    for (int stack = 1; stack < numbers.length; stack++) {
      if (totals.count(stack) > 0) {
        for (int node = stack; node != StackTable.NONE && numbers[node] == 0; ) {
          numbers[node] = -1;
          node = stacks.parent(node);
        }
      }
    }
    for (int node = 1; node < numbers.length; node++) {
      if (numbers[node] != 0) {
        int frame = frames.applyAsInt(stacks.frameNumber(node));
        numbers[node] = nodes.child(numbers[stacks.parent(node)], frame);
      }
    }
    return numbers;
  }

  /** Numbers the stacks that have active allocations without gaps; callers have none. */
  private int[] ofStacks(int[] numbers, StackTotals totals, int[] dense) {
    for (int stack = 1; stack < numbers.length; stack++) {
      if (totals.count(stack) > 0 && dense[numbers[stack]] == NONE) {
        dense[numbers[stack]] = count++;
      }
    }
    for (int stack = 1; stack < numbers.length; stack++) {
      numbers[stack] = totals.count(stack) > 0 ? dense[numbers[stack]] : NONE;
    }
    return numbers;
  }

  /** Numbers are 0 to this, exclusive. */
  int count() {
    return count;
  }

  /** The number of a stack of the first table with active allocations. */
  int before(int stack) {
    return before[stack];
  }

  /** The number of a stack of the second table with active allocations. */
  int after(int stack) {
    return after[stack];
  }
}
