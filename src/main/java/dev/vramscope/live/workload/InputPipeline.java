package dev.vramscope.live.workload;

import java.util.concurrent.TimeUnit;

/**
 * A data loader: the host writes each tensor of a batch to pinned memory and enqueues its copy to
 * the device on a copy stream, while the main stream computes with the previous batch. The host
 * frees the pinned memory immediately after it enqueued the copy. If the pinned allocator reused it
 * before the copy has completed, the next tensor would overwrite it, and a check would find that.
 *
 * <pre>
 *   host         |write 1|free 1|write 2|free 2|
 *   copy stream          |spin|copy 1| |spin|copy 2|
 *   main stream                                    |check 1|check 2|
 * </pre>
 */
final class InputPipeline implements Workload {
  private static final long MIB = 1L << 20;
  private static final int TENSORS = 4;

  /** Each copy starts at least this late, so that the host is ahead of it. */
  private static final long COPY_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** The host is at most this many batches ahead of the device. */
  private static final int BATCHES_AHEAD = 2;

  private long[] bytes = {};
  private int copyStream;
  private int step;

  @Override
  public void step(WorkloadContext context) {
    if (bytes.length == 0) {
      open(context);
    }
    try (BlockList batch = context.blocks()) {
      try (var _ = context.scope("load batch")) {
        for (long tensorBytes : bytes) {
          context.spin(copyStream, COPY_DELAY_NANOS + context.eventNanos());
          batch.add(context.load(tensorBytes, copyStream));
        }
      }
      context.order(context.stream(), copyStream);
      for (int i = 0; i < batch.size(); i++) {
        context.use(batch.get(i), context.stream());
      }
    }
    if (++step % BATCHES_AHEAD == 0) {
      context.synchronize(context.stream());
    }
  }

  private void open(WorkloadContext context) {
    copyStream = context.newStream();
    bytes = new long[TENSORS];
    for (int i = 0; i < TENSORS; i++) {
      bytes[i] = context.scaled((2 + context.random().nextInt(14)) * MIB);
    }
  }
}
