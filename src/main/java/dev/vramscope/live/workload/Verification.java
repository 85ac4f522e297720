package dev.vramscope.live.workload;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.PendingCheck;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Fills blocks and checks them asynchronously. The number of pending checks is limited, so that the
 * device lags behind the host by a few milliseconds at most.
 */
final class Verification {
  private static final int MAX_PENDING_CHECKS = 1024;
  private static final long MAX_PENDING_BYTES = 16L << 30;

  private record Check(WorkBlock block, int stream, PendingCheck pending) {}

  private final DeviceWork work;
  private final RunCounters counters;
  private final Deque<Check> queue = new ArrayDeque<>();
  private long pendingBytes;

  Verification(DeviceWork work, RunCounters counters) {
    this.work = work;
    this.counters = counters;
  }

  void fill(WorkBlock block) {
    work.fill(block.stream(), block.address(), block.bytes(), block.seed());
    counters.filled(block.bytes());
  }

  /** Compares a block on the stream that used it last. */
  void check(WorkBlock block) {
    int stream = block.lastUser();
    PendingCheck pending = work.check(stream, block.address(), block.bytes(), block.seed());
    queue.add(new Check(block, stream, pending));
    pendingBytes += block.bytes();
    while (queue.size() > MAX_PENDING_CHECKS
        || (pendingBytes > MAX_PENDING_BYTES && queue.size() > 1)
        || (!queue.isEmpty() && queue.element().pending().isDone())) {
      takeFirst();
    }
  }

  /** Waits for all pending checks. */
  void awaitAll() {
    while (!queue.isEmpty()) {
      takeFirst();
    }
  }

  private void takeFirst() {
    Check check = queue.remove();
    WorkBlock block = check.block();
    pendingBytes -= block.bytes();
    CheckResult result = check.pending().result();
    counters.checked();
    if (!result.matches()) {
      counters.mismatched(
          new Mismatch(
              block.handle(),
              block.address(),
              block.bytes(),
              check.stream(),
              result.firstMismatchOffset(),
              result.mismatchedWords()));
    }
  }
}
