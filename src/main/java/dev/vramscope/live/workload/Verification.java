package dev.vramscope.live.workload;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.PendingCheck;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Fills blocks and checks them. Answers are looked at when they have come; so that the device lags
 * behind by milliseconds at most, the work ahead of it is bounded.
 */
final class Verification {
  private static final int MOST_CHECKS_AHEAD = 1024;
  private static final long MOST_BYTES_AHEAD = 16L << 30;

  private record Asked(WorkBlock block, int stream, PendingCheck answer) {}

  private final DeviceWork work;
  private final RunCounters counters;
  private final Deque<Asked> ahead = new ArrayDeque<>();
  private long bytesAhead;

  Verification(DeviceWork work, RunCounters counters) {
    this.work = work;
    this.counters = counters;
  }

  void fill(WorkBlock block) {
    work.fill(block.stream(), block.address(), block.bytes(), block.seed());
    counters.filled(block.bytes());
  }

  /** Lets the stream that used a block last compare it. */
  void check(WorkBlock block) {
    int stream = block.lastUser();
    PendingCheck answer = work.check(stream, block.address(), block.bytes(), block.seed());
    ahead.add(new Asked(block, stream, answer));
    bytesAhead += block.bytes();
    while (ahead.size() > MOST_CHECKS_AHEAD
        || (bytesAhead > MOST_BYTES_AHEAD && ahead.size() > 1)
        || (!ahead.isEmpty() && ahead.element().answer().isDone())) {
      takeFirst();
    }
  }

  /** Waits for all answers. */
  void settle() {
    while (!ahead.isEmpty()) {
      takeFirst();
    }
  }

  private void takeFirst() {
    Asked asked = ahead.remove();
    WorkBlock block = asked.block();
    bytesAhead -= block.bytes();
    CheckResult result = asked.answer().result();
    counters.checked();
    if (!result.matches()) {
      counters.mismatched(
          new Mismatch(
              block.handle(),
              block.address(),
              block.bytes(),
              asked.stream(),
              result.firstMismatchOffset(),
              result.mismatchedWords()));
    }
  }
}
