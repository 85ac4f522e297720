package dev.vramscope.postmortem;

import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.whatif.ContinuedRun;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What the failing step would still have requested: what an earlier step of the same loop requested
 * after the same request. The requests of both are paired in their order, by their stacks.
 *
 * <pre>
 *   two steps before   x1 x2 x3 x4 x5
 *   the step before    a1 a2 a3 a4 a5
 *   the failing step   b1 b2 b3           b3 failed: the rest is a4 a5 with the sizes of now, and
 *                                         frees b1 where a1 was freed, a1 where x1 was freed
 * </pre>
 *
 * @param continuation for a replay
 * @param isScaled whether the step has other sizes than the earlier one, so that those of the rest
 *     are estimates
 */
record RestOfStep(ContinuedRun.Rest continuation, boolean isScaled) {
  /** Steps back in which the same requests are looked for. */
  private static final int MOST_STEPS_BACK = 3;

  /** Requests that may be skipped to find the next pair. */
  private static final int MOST_SKIPPED = 32;

  /** At least this share of a step's requests has to have a partner. */
  private static final double LEAST_PAIRED = 0.95;

  /** The same if nearly all bytes are theirs: the others are small, such as those of a check. */
  private static final double LEAST_PAIRED_OF_SMALL = 0.8;

  private static final double NEARLY_ALL = 0.99;

  /** The rest of the step in which a request failed; empty if no earlier step shows it. */
  static Optional<RestOfStep> of(Trace trace, Steps steps, int failure) {
    Steps before = steps.before(failure);
    if (before.startCount() == 0 || !before.isLastOpen()) {
      return Optional.empty();
    }
    Steps own = before.ofLastLoop();
    int[] failing = requests(trace, own.start(own.startCount() - 1), failure + 1);
    for (int back = 1; back <= Math.min(MOST_STEPS_BACK, own.count()); back++) {
      int step = own.startCount() - 1 - back;
      int[] earlier = requests(trace, own.start(step), own.end(step));
      Map<Integer, Integer> pairs = pairs(trace, earlier, failing);
      OptionalInt same = partner(pairs, failure);
      if (same.isPresent()) {
        int[] previous =
            step == 0 ? new int[0] : requests(trace, own.start(step - 1), own.end(step - 1));
        return Optional.of(
            of(trace, failure, same.getAsInt(), own.end(step), pairs, previous, earlier));
      }
    }
    return Optional.empty();
  }

  private static RestOfStep of(
      Trace trace,
      int failure,
      int same,
      int end,
      Map<Integer, Integer> pairs,
      int[] previous,
      int[] earlier) {
    Map<Integer, Integer> counterparts = new HashMap<>(pairs(trace, previous, earlier));
    counterparts.putAll(pairs);
    Map<Long, Long> sizes = new HashMap<>();
    double now = 0;
    double then = 0;
    for (Map.Entry<Integer, Integer> pair : pairs.entrySet()) {
      long earlierBytes = trace.bytes(pair.getKey());
      long bytes = trace.bytes(pair.getValue());
      if (earlierBytes != bytes) {
        sizes.put(earlierBytes, bytes);
        now += bytes;
        then += earlierBytes;
      }
    }
    double growth = then == 0 ? 1 : now / then;
    return new RestOfStep(
        new ContinuedRun.Rest(
            failure,
            same + 1,
            end,
            event -> counterparts.getOrDefault(event, ContinuedRun.NO_EVENT),
            bytes -> {
              Long paired = sizes.get(bytes);
              return paired == null ? Math.round(bytes * growth) : paired;
            }),
        !sizes.isEmpty());
  }

  private static int[] requests(Trace trace, int from, int to) {
    return IntStream.range(from, to)
        .filter(
            event ->
                trace.action(event) == TraceAction.ALLOC || trace.action(event) == TraceAction.OOM)
        .toArray();
  }

  private static OptionalInt partner(Map<Integer, Integer> pairs, int event) {
    return pairs.entrySet().stream()
        .filter(pair -> pair.getValue() == event)
        .mapToInt(Map.Entry::getKey)
        .findFirst();
  }

  /** The events of requests by those of the same requests in an earlier step; empty if few are. */
  private static Map<Integer, Integer> pairs(Trace trace, int[] earlier, int[] later) {
    Map<Integer, Integer> pairs = new HashMap<>();
    int i = 0;
    int j = 0;
    while (i < earlier.length && j < later.length) {
      if (isSame(trace, earlier[i], later[j])) {
        pairs.put(earlier[i++], later[j++]);
        continue;
      }
      int skip = 1;
      while (skip <= MOST_SKIPPED
          && !isSameAt(trace, earlier, i + skip, later, j)
          && !isSameAt(trace, earlier, i, later, j + skip)) {
        skip++;
      }
      if (isSameAt(trace, earlier, i + skip, later, j)) {
        i += skip;
      } else {
        j += skip;
      }
    }
    return areMost(trace, pairs, earlier, later) ? pairs : Map.of();
  }

  private static boolean areMost(
      Trace trace, Map<Integer, Integer> pairs, int[] earlier, int[] later) {
    boolean isEarlierShorter = earlier.length < later.length;
    IntStream shorter = IntStream.of(isEarlierShorter ? earlier : later);
    long bytes = shorter.mapToLong(trace::bytes).sum();
    long pairedBytes =
        (isEarlierShorter ? pairs.keySet() : pairs.values()).stream().mapToLong(trace::bytes).sum();
    double paired = (double) pairs.size() / Math.min(earlier.length, later.length);
    return paired >= LEAST_PAIRED
        || (paired >= LEAST_PAIRED_OF_SMALL && pairedBytes >= NEARLY_ALL * bytes);
  }

  private static boolean isSameAt(Trace trace, int[] earlier, int i, int[] later, int j) {
    return i < earlier.length && j < later.length && isSame(trace, earlier[i], later[j]);
  }

  private static boolean isSame(Trace trace, int event, int other) {
    return trace.stack(event) == trace.stack(other)
        && trace.stream(event) == trace.stream(other)
        && (trace.stack(event) != StackTable.NONE || isOfOneSize(trace, event, other));
  }

  /** Requests without a stack are the same only if they could be of one tensor. */
  private static boolean isOfOneSize(Trace trace, int event, int other) {
    long larger = Math.max(trace.bytes(event), trace.bytes(other));
    return larger <= 4 * Math.min(trace.bytes(event), trace.bytes(other)) + 512;
  }
}
