package dev.vramscope.analysis.uses;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Finds cuBLAS's workspaces among the allocations of the forward pass; see {@link Uses}. */
final class Workspaces {
  /** The default {@code CUBLAS_WORKSPACE_CONFIG}: {@code :4096:2:16:8}, and on Hopper 32 MiB. */
  private static final Set<Long> DEFAULT_BYTES = Set.of(8_519_680L, 32L << 20);

  private final Lifetimes lifetimes;
  private final Uses uses;

  Workspaces(Lifetimes lifetimes, Uses uses) {
    this.lifetimes = lifetimes;
    this.uses = uses;
  }

  void find() {
    Map<Integer, Integer> firstOfStack = new HashMap<>();
    Set<Integer> stacksWithFrees = new HashSet<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      if (uses.use(row) == Use.ACTIVATIONS) {
        int stack = lifetimes.stack(row);
        if (lifetimes.endEvent(row) != Lifetimes.NEVER) {
          stacksWithFrees.add(stack);
        }
        if (isKeptWithDefaultSize(row)) {
          firstOfStack.putIfAbsent(stack, row);
        }
      }
    }
    Set<Long> streams = new HashSet<>();
    firstOfStack.values().stream()
        .sorted()
        .filter(row -> stacksWithFrees.contains(lifetimes.stack(row)))
        .filter(row -> streams.add(lifetimes.stream(row)))
        .forEach(row -> uses.set(row, Use.WORKSPACES));
  }

  private boolean isKeptWithDefaultSize(int row) {
    return lifetimes.endEvent(row) == Lifetimes.NEVER
        && DEFAULT_BYTES.contains(lifetimes.bytes(row));
  }
}
