package dev.vramscope.analysis.steps;

import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the loops of a program from the stacks of its allocations, in one scan. At each allocation
 * the calls that its place does not contain have ended, and those that are new have begun.
 */
final class CodeLoops {
  /** Some calls and positions for each event of the longest recordings. */
  private static final long MOST_WORK = 100_000_000;

  private final Trace trace;
  private final CodePlaces places;
  private final SearchBudget budget = new SearchBudget(MOST_WORK);

  private CodeLoops(Trace trace, CodePlaces places) {
    this.trace = trace;
    this.places = places;
  }

  /** The outermost loops, in the order of time; empty if the search would take too long. */
  static List<CodeLoop> of(Trace trace, CodePlaces places) {
    return new CodeLoops(trace, places).search();
  }

  private List<CodeLoop> search() {
    Map<Integer, ThreadCalls> threads = new HashMap<>();
    int last = CodePlaces.NONE;
    for (int event = 0; event < trace.size() && !budget.isExhausted(); event++) {
      if (trace.action(event) != TraceAction.ALLOC || trace.stack(event) == StackTable.NONE) {
        continue;
      }
      int place = places.of(trace.stack(event));
      if (place == last || place == CodePlaces.NONE) {
        continue;
      }
      last = place;
      threads
          .computeIfAbsent(places.function(outermost(place)), _ -> new ThreadCalls())
          .follow(place, event);
    }
    List<CodeLoop> loops = new ArrayList<>();
    threads.values().forEach(thread -> loops.addAll(thread.end()));
    loops.sort(Comparator.comparingInt(CodeLoop::from));
    return budget.isExhausted() ? List.of() : loops;
  }

  private int outermost(int place) {
    int outer = place;
    while (places.caller(outer) != CodePlaces.NONE) {
      outer = places.caller(outer);
    }
    return outer;
  }

  /** The calls of one thread, which begins with a function of its own, outermost first. */
  private final class ThreadCalls {
    private final List<CodeLoop> outermost = new ArrayList<>();
    private Activation[] calls = new Activation[16];
    private int[] path = new int[16];
    private int depth;

    void follow(int place, int event) {
      int[] next = pathTo(place);
      int shared = 0;
      while (shared < Math.min(depth, next.length) && path[shared] == next[shared]) {
        shared++;
      }
      int kept = shared;
      boolean isMoved =
          shared < depth
              && shared < next.length
              && places.function(path[shared]) == places.function(next[shared]);
      if (isMoved) {
        kept++;
      }
      endCalls(kept, event);
      if (isMoved) {
        calls[shared].moveTo(places.line(next[shared]), event);
      }
      for (int level = kept; level < next.length; level++) {
        if (level > 0) {
          calls[level - 1].call(places.function(next[level]), event);
        }
        calls[level] =
            new Activation(
                places.caller(next[level]),
                places.function(next[level]),
                places.line(next[level]),
                event);
      }
      System.arraycopy(next, 0, path, 0, next.length);
      depth = next.length;
      calls[depth - 1].call(Activation.ITSELF, event);
    }

    private int[] pathTo(int place) {
      int[] nodes = new int[places.depth(place)];
      int node = place;
      for (int level = nodes.length - 1; level >= 0; level--) {
        nodes[level] = node;
        node = places.caller(node);
      }
      if (nodes.length > path.length) {
        path = Arrays.copyOf(path, 2 * nodes.length);
        calls = Arrays.copyOf(calls, 2 * nodes.length);
      }
      budget.take(nodes.length);
      return nodes;
    }

    private void endCalls(int kept, int event) {
      while (depth > kept) {
        depth--;
        Activation call = calls[depth];
        List<CodeLoop> loops = call.loops(event, budget);
        if (depth == 0) {
          outermost.addAll(loops);
        } else {
          calls[depth - 1].addCalled(loops);
        }
      }
    }

    List<CodeLoop> end() {
      endCalls(0, trace.size());
      return outermost;
    }
  }
}
