package dev.vramscope.plan;

import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the program begins in the stacks of recordings. What started it, such as torchrun, a
 * notebook or another script, is above it in every stack and may differ between recordings of one
 * program:
 *
 * <pre>
 *   recording A   run.py:8 ─ main.py:40 ─┐
 *                                        ├─ train (main.py:12) ─ forward (model.py:5)
 *   recording B   torchrun:3 ─ main.py:41┘
 * </pre>
 *
 * <p>Frames are left out only if nearly all stacks begin with them, and only if more stacks of the
 * recordings are equal without them.
 */
final class ProgramEntry {
  /** What is above the program is in so large a part of all stacks. */
  private static final double NEARLY_ALL = 0.9;

  private static final int MOST_FRAMES = 64;

  private final StackTable stacks;
  private final Map<Integer, Integer> allocations = new HashMap<>();
  private final List<Integer> outer;
  private final List<Map<Long, Double>> shares = new ArrayList<>();

  private ProgramEntry(StackTable stacks, Trace trace) {
    this.stacks = stacks;
    for (int event = 0; event < trace.size(); event++) {
      if (trace.action(event) == TraceAction.ALLOC && trace.stack(event) != StackTable.NONE) {
        allocations.merge(trace.stack(event), 1, Integer::sum);
      }
    }
    outer = outer();
    outer.forEach(_ -> shares.add(Map.of()));
  }

  /**
   * By recording: the innermost node of its stacks that is above the program, or {@link
   * StackTable#NONE} if the whole stack is the program's.
   */
  static int[] of(List<SizedRecording> recordings) {
    List<ProgramEntry> all =
        recordings.stream()
            .map(each -> new ProgramEntry(each.snapshot().stacks(), each.device().trace()))
            .toList();
    ProgramEntry first = all.getFirst();
    int leftOut = 0;
    for (ProgramEntry other : all) {
      for (int i = leftOut + 1; i < first.outer.size(); i++) {
        if (other.best(first, i).shared > other.best(first, leftOut).shared) {
          leftOut = i;
        }
      }
    }
    int[] entries = new int[all.size()];
    entries[0] = first.outer.get(leftOut);
    for (int i = 1; i < entries.length; i++) {
      entries[i] = all.get(i).outer.get(all.get(i).best(first, leftOut).leftOut);
    }
    return entries;
  }

  /** The nodes from the root on that nearly all stacks have in common. */
  private List<Integer> outer() {
    long[] below = new long[stacks.nodeCount()];
    allocations.forEach((stack, count) -> below[stack] += count);
    for (int node = below.length - 1; node > 0; node--) {
      below[stacks.parent(node)] += below[node];
    }
    List<Integer> common = new ArrayList<>(List.of(StackTable.NONE));
    // A node has a larger id than its caller, so one pass follows the stacks inwards.
    for (int node = 1; node < below.length && common.size() <= MOST_FRAMES; node++) {
      if (stacks.parent(node) == common.getLast() && below[node] >= NEARLY_ALL * below[0]) {
        common.add(node);
      }
    }
    return below[0] == 0 ? List.of(StackTable.NONE) : common;
  }

  /**
   * How many frames to leave out here if another recording leaves out some.
   *
   * @param shared the part of the stacks that both have then
   */
  private record Best(int leftOut, double shared) {}

  private Best best(ProgramEntry first, int leftOutOfFirst) {
    Best best = new Best(0, -1);
    for (int i = 0; i < outer.size(); i++) {
      double shared = shared(first.shares(leftOutOfFirst), shares(i));
      if (shared > best.shared) {
        best = new Best(i, shared);
      }
    }
    return best;
  }

  private static double shared(Map<Long, Double> one, Map<Long, Double> other) {
    double shared = 0;
    for (Map.Entry<Long, Double> each : one.entrySet()) {
      shared += Math.min(each.getValue(), other.getOrDefault(each.getKey(), 0.0));
    }
    return shared;
  }

  /** By identity of a stack without some outer frames: its part of all allocations. */
  private Map<Long, Double> shares(int leftOut) {
    if (shares.get(leftOut).isEmpty()) {
      StackHashes hashes = new StackHashes(stacks, outer.get(leftOut));
      double all = allocations.values().stream().mapToLong(Integer::longValue).sum();
      Map<Long, Double> parts = new HashMap<>();
      allocations.forEach(
          (stack, count) -> parts.merge(hashes.of(stack), count / all, Double::sum));
      shares.set(leftOut, parts);
    }
    return shares.get(leftOut);
  }
}
