package dev.vramscope.analysis.uses;

import dev.vramscope.model.StackTable;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Bytes by the stacks that allocated them.
 *
 * @param byStack the key {@link StackTable#NONE} is memory without a stack; the values are over 0
 */
public record StackBytes(Map<Integer, Long> byStack) {
  private static final int LEAST_STACKS_OF_GRAPH = 5;

  private static final int LEAST_STACKS_OF_LAYER = 3;

  private static final double MOST_OF_ONE_STACK = 0.7;

  /** No memory. */
  public static final StackBytes NONE = new StackBytes(Map.of());

  public StackBytes {
    byStack = Collections.unmodifiableMap(new LinkedHashMap<>(byStack));
  }

  /** The sum. */
  public long bytes() {
    return byStack.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The stack with most bytes, of those with a stack; {@link StackTable#NONE} without one. */
  public int largestStack() {
    return byStack.entrySet().stream()
        .filter(entry -> entry.getKey() != StackTable.NONE)
        .max(Comparator.comparingLong(Map.Entry::getValue))
        .map(Map.Entry::getKey)
        .orElse(StackTable.NONE);
  }

  /**
   * Whether this is as much of several stacks as a model keeps for a backward pass; a few results
   * of a model, however often they are kept, are of one or two.
   */
  public boolean isGraph() {
    return byStack.size() >= LEAST_STACKS_OF_GRAPH && isSpread();
  }

  /**
   * The same, if each call of the model has left so many blocks: equal layers, called in a loop,
   * have few stacks.
   */
  boolean isGraph(int blocksPerCall) {
    return isGraph()
        || (byStack.size() >= LEAST_STACKS_OF_LAYER
            && blocksPerCall >= LEAST_STACKS_OF_GRAPH
            && isSpread());
  }

  private boolean isSpread() {
    long largest = byStack.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return largest <= MOST_OF_ONE_STACK * bytes();
  }

  /** The memory of some of the stacks. */
  public StackBytes where(IntPredicate stacks) {
    Map<Integer, Long> some = new LinkedHashMap<>();
    byStack.forEach(
        (stack, bytes) -> {
          if (stacks.test(stack)) {
            some.put(stack, bytes);
          }
        });
    return new StackBytes(some);
  }

  /** Adds bytes up. */
  public static final class Sum {
    private final Map<Integer, Long> byStack = new LinkedHashMap<>();

    /** Adds bytes; none if they are 0. */
    public void add(int stack, long bytes) {
      if (bytes > 0) {
        byStack.merge(stack, bytes, Long::sum);
      }
    }

    /** Adds all of another sum. */
    public void add(StackBytes other) {
      other.byStack.forEach(this::add);
    }

    /** What was added. */
    public StackBytes total() {
      return new StackBytes(byStack);
    }
  }
}
