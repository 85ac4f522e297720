package dev.vramscope.whatif;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The frees of a trace that did not complete immediately, because another stream still used the
 * block, and the event that completed each.
 *
 * <p>Which stream it was is not recorded, only when it was done. An allocator completes the frees
 * that wait for one stream in the order of their requests; so frees share a stream here as long as
 * they complete in that order.
 */
final class DelayedFrees {
  /** Instead of an event: not before the end of the recording. */
  static final int NEVER = Integer.MAX_VALUE;

  private static final int MAX_STREAMS = 1024;

  private final Map<Integer, Integer> completions = new HashMap<>();
  private final Map<Long, Integer> completionsOfEarlier = new HashMap<>();

  /** The event that completes the last free of each stream; ascending, so the streams by it. */
  private final TreeMap<Integer, Integer> streamByLastCompletion = new TreeMap<>();

  private final int firstStream;
  private int streams;
  private long late;

  /**
   * Scans a trace.
   *
   * @param firstStream the number of the first stream that no block of the trace belongs to
   * @param pendingAtEnd the addresses of the blocks that still wait in the final state
   */
  DelayedFrees(Trace trace, int firstStream, Set<Long> pendingAtEnd) {
    this.firstStream = firstStream;
    Map<Long, Integer> waiting = new HashMap<>();
    boolean completionsRecorded = false;
    for (int event = 0; event < trace.size(); event++) {
      long address = trace.address(event);
      if (trace.action(event) == TraceAction.FREE_REQUESTED && !isCompletedNext(trace, event)) {
        waiting.put(address, event);
      } else if (trace.action(event) == TraceAction.FREE_COMPLETED) {
        completionsRecorded = true;
        if (event == 0 || !isCompletedNext(trace, event - 1)) {
          complete(waiting.remove(address), address, event);
        }
      }
    }
    for (Map.Entry<Long, Integer> unfinished : waiting.entrySet()) {
      // Without recorded completions, all others are taken as immediate.
      if (completionsRecorded || pendingAtEnd.contains(unfinished.getKey())) {
        completions.put(unfinished.getValue(), NEVER);
      }
    }
  }

  /** The blocks from before a recording whose free only completes in it, by address. */
  static Set<Long> requestedBefore(Trace trace, Lifetimes lifetimes) {
    Set<Long> pending = new HashSet<>();
    Set<Long> unseen = new HashSet<>();
    for (int row = 0; row < lifetimes.liveBeforeCount(); row++) {
      unseen.add(lifetimes.address(row));
    }
    for (int event = 0; event < trace.size() && !unseen.isEmpty(); event++) {
      boolean isBlock =
          switch (trace.action(event)) {
            case ALLOC, FREE_REQUESTED, FREE_COMPLETED -> true;
            default -> false;
          };
      if (isBlock
          && unseen.remove(trace.address(event))
          && trace.action(event) == TraceAction.FREE_COMPLETED) {
        pending.add(trace.address(event));
      }
    }
    return pending;
  }

  private void complete(@Nullable Integer request, long address, int event) {
    if (request == null) {
      completionsOfEarlier.putIfAbsent(address, event);
    } else {
      completions.put(request, event);
    }
  }

  /** Whether a requested free is completed by the next event, in the same call. */
  static boolean isCompletedNext(Trace trace, int event) {
    return event + 1 < trace.size()
        && trace.action(event) == TraceAction.FREE_REQUESTED
        && trace.action(event + 1) == TraceAction.FREE_COMPLETED
        && trace.address(event + 1) == trace.address(event)
        && haveSameStack(trace, event, event + 1);
  }

  /**
   * Whether two events may come from one call. A free that a later request completes has the stack
   * of that request.
   */
  static boolean haveSameStack(Trace trace, int event, int other) {
    return trace.stack(event) == trace.stack(other)
        || trace.stack(event) == StackTable.NONE
        || trace.stack(other) == StackTable.NONE;
  }

  /** The event that completes the free that an event requests; empty if it does so immediately. */
  OptionalInt completionOf(int request) {
    Integer event = completions.get(request);
    return event == null ? OptionalInt.empty() : OptionalInt.of(event);
  }

  /** The event that completes a free requested before the trace, or {@link #NEVER}. */
  int completionOfEarlier(long address) {
    return completionsOfEarlier.getOrDefault(address, NEVER);
  }

  /** The stream that a free waits for; called in the order of the requests. */
  int streamFor(int completion) {
    Map.Entry<Integer, Integer> last = streamByLastCompletion.floorEntry(completion);
    if (last == null && streams == MAX_STREAMS) {
      last = streamByLastCompletion.firstEntry();
      late++;
    }
    int stream = last == null ? firstStream + streams++ : last.getValue();
    if (last != null) {
      streamByLastCompletion.remove(last.getKey());
    }
    streamByLastCompletion.put(
        last == null ? completion : Math.max(completion, last.getKey()), stream);
    return stream;
  }

  /** Frees that complete later than recorded, because there are too many orders. */
  long late() {
    return late;
  }
}
