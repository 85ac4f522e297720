package dev.vramscope.analysis.steps;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.KeyNumbers;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds an allocation that recurs at regular intervals over the trace: the start of a step.
 *
 * <pre>
 *   allocation   0 1 2 3 4 5 6 7 8 9 ...        in trace order
 *   key          a b c c d a b c c d ...        its stack or, without one, its size
 *   by key       a: 0 5 ... | b: 1 6 ... | c: 2 3 7 8 ... | d: 4 9 ...
 * </pre>
 *
 * A key may recur several times in each step; then every second, third, ... of its allocations is a
 * start. Of the regular keys, those with the fewest starts mark the outermost loop; of these, the
 * one at whose starts the least memory is live marks the boundary between two steps. A loop inside
 * one call of a model, such as that over its layers, is none of steps.
 */
final class RecurringAllocations {
  /** Intervals within a tenth of the median are regular. */
  private static final double TOLERANCE = 0.1;

  private static final double LEAST_REGULAR_SHARE = 0.75;
  private static final double LEAST_COVERED_SHARE = 0.4;

  /** Single allocations in a row are no steps. */
  private static final int LEAST_PERIOD = 2;

  /** Fewer starts are taken only if no key has more: rare events can look regular, too. */
  private static final int MANY_STARTS = 8;

  private static final int MAX_STRIDE = 16;
  private static final int MAX_GROUPS = 8;
  private static final int MAX_SAMPLES = 4096;

  /** Bounds the time for traces in which nothing is regular. */
  private static final long MAX_INTERVALS = 4_000_000;

  /** Functions that run once in a step, or build or convert a model. */
  private static final Set<String> INSIDE_A_STEP =
      Set.of("forward", "_call_impl", "_wrapped_call_impl", "backward", "_apply", "__init__");

  private final StackTable stacks;
  private final Trace trace;
  private final ActiveBytes active;
  private final int[] events;
  private final int[] firstOf;
  private final int[] byKey;

  private long intervalCount;

  RecurringAllocations(StackTable stacks, Trace trace, ActiveBytes active) {
    this.stacks = stacks;
    this.trace = trace;
    this.active = active;
    int allocations = 0;
    for (int event = 0; event < trace.size(); event++) {
      allocations += trace.action(event) == TraceAction.ALLOC ? 1 : 0;
    }
    events = new int[allocations];
    int[] keys = new int[allocations];
    KeyNumbers table = new KeyNumbers(allocations);
    int next = 0;
    for (int event = 0; event < trace.size(); event++) {
      if (trace.action(event) == TraceAction.ALLOC) {
        events[next] = event;
        keys[next] = table.number(key(event));
        next++;
      }
    }
    // Counting sort: the allocations of key k are byKey[firstOf[k] .. firstOf[k + 1]).
    firstOf = new int[table.count() + 1];
    for (int key : keys) {
      firstOf[key + 1]++;
    }
    for (int key = 0; key < table.count(); key++) {
      firstOf[key + 1] += firstOf[key];
    }
    byKey = new int[allocations];
    int[] cursor = Arrays.copyOf(firstOf, table.count());
    for (int allocation = 0; allocation < allocations; allocation++) {
      byKey[cursor[keys[allocation]]++] = allocation;
    }
  }

  private long key(int event) {
    int stack = trace.stack(event);
    return stack == StackTable.NONE ? -1 - trace.bytes(event) : stack;
  }

  /** A key whose every {@code stride}-th allocation starts a step. */
  private record Candidate(int key, int stride, int startCount) {}

  /** The events at which steps start, ascending; empty if nothing recurs. */
  int[] starts() {
    SortedMap<Integer, List<Candidate>> groups =
        new TreeMap<>(
            Comparator.comparing((Integer startCount) -> startCount < MANY_STARTS)
                .thenComparing(Comparator.naturalOrder()));
    for (int key = 0; key < firstOf.length - 1; key++) {
      Candidate candidate = candidate(key);
      if (candidate != null) {
        groups.computeIfAbsent(candidate.startCount(), _ -> new ArrayList<>()).add(candidate);
      }
    }
    return groups.values().stream()
        .limit(MAX_GROUPS)
        .map(this::lowest)
        .filter(starts -> !isInsideAStep(starts[0], starts[starts.length - 1]))
        .findFirst()
        .orElse(new int[0]);
  }

  private @Nullable Candidate candidate(int key) {
    int count = count(key);
    if (count < Steps.LEAST_STARTS || isAlmostEachAllocation(key)) {
      return null;
    }
    for (int stride = 1; stride <= MAX_STRIDE; stride++) {
      // Few intervals may be equal by chance, and more so for many strides.
      int least = stride == 1 ? Steps.LEAST_STARTS : Steps.LEAST_STARTS + 2;
      if (count / stride < least || intervalCount > MAX_INTERVALS) {
        return null;
      }
      if (isRegular(key, stride)) {
        return new Candidate(key, stride, count / stride);
      }
    }
    return null;
  }

  /** Whether a key is that of most allocations between its first and its last one. */
  private boolean isAlmostEachAllocation(int key) {
    int span = occurrence(key, count(key) - 1) - occurrence(key, 0);
    return span < LEAST_PERIOD * (count(key) - 1) * 0.75;
  }

  /** The starts of the candidate with the least live memory. */
  private int[] lowest(List<Candidate> candidates) {
    int[] best = new int[0];
    long lowest = Long.MAX_VALUE;
    for (Candidate candidate : candidates) {
      int[] starts = new int[candidate.startCount()];
      long[] live = new long[starts.length];
      for (int i = 0; i < starts.length; i++) {
        starts[i] = events[occurrence(candidate.key(), i * candidate.stride())];
        live[i] = active.at(starts[i] - 1);
      }
      Arrays.sort(live);
      if (live[live.length / 2] < lowest) {
        lowest = live[live.length / 2];
        best = starts;
      }
    }
    return best;
  }

  /** Whether all allocations between two events were made inside one call of a model. */
  private boolean isInsideAStep(int from, int to) {
    int step = Math.max(1, (to - from) / MAX_SAMPLES);
    int shared = StackTable.NONE;
    for (int event = from; event <= to; event += step) {
      int stack = trace.stack(event);
      if (trace.action(event) == TraceAction.ALLOC && stack != StackTable.NONE) {
        shared = shared == StackTable.NONE ? stack : sharedStack(shared, stack);
        if (shared == StackTable.NONE) {
          return false;
        }
      }
    }
    for (int node = shared; node != StackTable.NONE; node = stacks.parent(node)) {
      if (INSIDE_A_STEP.contains(stacks.frame(node).name())) {
        return true;
      }
    }
    return false;
  }

  /** The innermost node that two stacks share; a parent has a smaller id. */
  private int sharedStack(int one, int other) {
    int a = one;
    int b = other;
    while (a != b) {
      if (a > b) {
        a = stacks.parent(a);
      } else {
        b = stacks.parent(b);
      }
    }
    return a;
  }

  private int count(int key) {
    return firstOf[key + 1] - firstOf[key];
  }

  private int occurrence(int key, int index) {
    return byKey[firstOf[key] + index];
  }

  /** Whether its intervals are equal; the first one is left out, since programs warm up. */
  private boolean isRegular(int key, int stride) {
    int starts = count(key) / stride;
    int first = occurrence(key, stride);
    int span = occurrence(key, (starts - 1) * stride) - first;
    if (span < LEAST_COVERED_SHARE * events.length) {
      return false;
    }
    int[] intervals = new int[starts - 2];
    for (int i = 0; i < intervals.length; i++) {
      intervals[i] = occurrence(key, (i + 2) * stride) - occurrence(key, (i + 1) * stride);
    }
    intervalCount += intervals.length;
    Arrays.sort(intervals);
    int median = intervals[intervals.length / 2];
    long regularSpan = (long) median * intervals.length;
    if (median < LEAST_PERIOD || Math.abs(regularSpan - span) > span / 4) {
      return false;
    }
    int regular = 0;
    for (int interval : intervals) {
      regular += Math.abs(interval - median) <= TOLERANCE * median ? 1 : 0;
    }
    return regular >= LEAST_REGULAR_SHARE * intervals.length;
  }
}
