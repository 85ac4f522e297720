package dev.vramscope.postmortem.explanation;

import dev.vramscope.model.OomEvent;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.postmortem.cause.Request;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A request that failed before, whose exception was caught, and whose call still holds memory: an
 * exception refers to the frames that it passed through, and these to their temporary tensors,
 * until the except block is left.
 *
 * @param event the event of the earlier failure
 * @param keptBytes blocks that its call had allocated and that are live at the later request
 */
record CaughtException(int event, long keptBytes) {
  /** The last failure before a request, if its call still holds memory. */
  static Optional<CaughtException> before(Request request, Trace trace, StackTable stacks) {
    return trace.ooms().stream()
        .map(OomEvent::event)
        .filter(earlier -> earlier < request.event())
        .reduce((first, second) -> second)
        .map(
            earlier ->
                new CaughtException(earlier, keptBytes(earlier, request.event(), trace, stacks)))
        .filter(caught -> caught.keptBytes > 0);
  }

  private static long keptBytes(int earlier, int later, Trace trace, StackTable stacks) {
    int call = leftCall(trace.stack(earlier), trace.stack(later), stacks);
    if (call == StackTable.NONE) {
      return 0;
    }
    int begin = earlier;
    while (begin > 0 && isWithin(call, trace.stack(begin - 1), stacks)) {
      begin--;
    }
    Map<Long, Long> live = new HashMap<>();
    for (int event = begin; event < later; event++) {
      switch (trace.action(event)) {
        case ALLOC -> {
          if (event < earlier) {
            live.put(trace.address(event), trace.bytes(event));
          }
        }
        case FREE_REQUESTED, FREE_COMPLETED -> live.remove(trace.address(event));
        default -> {
          // Does not change what is live.
        }
      }
    }
    return live.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The outermost frame of one stack that is not in the other: a call that has been left. */
  private static int leftCall(int stack, int other, StackTable stacks) {
    if (other == StackTable.NONE) {
      return StackTable.NONE;
    }
    int call = StackTable.NONE;
    for (int node = stack; node != StackTable.NONE; node = stacks.parent(node)) {
      if (!isWithin(node, other, stacks)) {
        call = node;
      }
    }
    return call;
  }

  /** Whether a stack contains a frame. Stacks that were not recorded are of the same call. */
  private static boolean isWithin(int call, int stack, StackTable stacks) {
    if (stack == StackTable.NONE) {
      return true;
    }
    int node = stack;
    // A node has a greater id than its parents.
    while (node > call) {
      node = stacks.parent(node);
    }
    return node == call;
  }
}
