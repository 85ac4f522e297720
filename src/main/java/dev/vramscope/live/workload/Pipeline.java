package dev.vramscope.live.workload;

import java.util.concurrent.TimeUnit;

/**
 * A producer's stream fills buffers; a consumer's stream waits for them and reads them later. The
 * host frees them immediately, as PyTorch programs do, so the use by the consumer must be recorded.
 * Otherwise the producer gets the same buffers again and overwrites them while they are being read.
 *
 * <pre>
 *   producer  |fill 1|fill 2|                      |fill 3|
 *   consumer         :......|spin|check 1|check 2| :......
 *   host       free 1, free 2                       allocate 3: not at the address of 1 or 2,
 *                                                   unless the use by the consumer is not recorded
 * </pre>
 */
final class Pipeline implements Workload {
  private static final long MIB = 1L << 20;
  private static final int BUFFERS = 4;

  /** The minimum delay of the consumer, so that the next fill of the producer comes first. */
  private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /**
   * The next step of the host follows within this many events, which a slow pace spreads over time.
   */
  private static final int EVENTS_AHEAD = 4 * BUFFERS;

  /** The maximum lag of the consumer, in steps. */
  private static final int STEPS_AHEAD = 2;

  private final boolean recorded;
  private long[] bytes = new long[0];
  private int consumer;
  private int step;

  /**
   * Creates a pipeline.
   *
   * @param recorded whether the use by the consumer is recorded with the allocator
   */
  Pipeline(boolean recorded) {
    this.recorded = recorded;
  }

  @Override
  public void step(WorkloadContext context) {
    if (bytes.length == 0) {
      createStreamAndSizes(context);
    }
    try (BlockList buffers = context.blocks()) {
      try (var _ = context.scope("produce")) {
        for (long one : bytes) {
          buffers.add(context.allocate(one));
        }
      }
      context.order(consumer, context.stream());
      context.spin(consumer, DELAY_NANOS + EVENTS_AHEAD * context.eventNanos());
      for (int i = 0; i < buffers.size(); i++) {
        if (recorded) {
          context.use(buffers.get(i), consumer);
        } else {
          context.useUnrecorded(buffers.get(i), consumer);
        }
      }
    }
    if (++step % STEPS_AHEAD == 0) {
      context.synchronize(consumer);
    }
  }

  private void createStreamAndSizes(WorkloadContext context) {
    consumer = context.newStream();
    bytes = new long[BUFFERS];
    for (int i = 0; i < BUFFERS; i++) {
      bytes[i] = context.scaled((4 + context.random().nextInt(28)) * MIB);
    }
  }
}
