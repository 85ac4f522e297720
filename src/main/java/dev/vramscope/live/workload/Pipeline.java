package dev.vramscope.live.workload;

import java.util.concurrent.TimeUnit;

/**
 * A producer's stream fills buffers, a consumer's stream waits for them and reads them, late. The
 * host frees them at once, as programs do: the consumer's use has to be recorded, or the producer
 * gets the same buffers again and overwrites what is still being read.
 *
 * <pre>
 *   producer  |fill 1|fill 2|                      |fill 3|
 *   consumer         :......|spin|check 1|check 2| :......
 *   host       free 1, free 2                       allocate 3: not the place of 1 or 2, unless
 *                                                   nobody recorded that the consumer uses them
 * </pre>
 */
final class Pipeline implements Workload {
  private static final long MIB = 1L << 20;
  private static final int BUFFERS = 4;

  /** The consumer is at least this late: the producer's next fill comes first. */
  private static final long LATENESS_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** The host's next step comes within so many events, which a slow pace spreads out. */
  private static final int EVENTS_AHEAD = 4 * BUFFERS;

  /** The consumer lags behind by so many steps at most. */
  private static final int STEPS_AHEAD = 2;

  private final boolean recorded;
  private long[] bytes = new long[0];
  private int consumer;
  private int step;

  /**
   * A pipeline.
   *
   * @param recorded whether the allocator is told of the consumer
   */
  Pipeline(boolean recorded) {
    this.recorded = recorded;
  }

  @Override
  public void step(WorkloadContext context) {
    if (bytes.length == 0) {
      open(context);
    }
    try (BlockList buffers = context.blocks()) {
      try (var _ = context.scope("produce")) {
        for (long one : bytes) {
          buffers.add(context.allocate(one));
        }
      }
      context.order(consumer, context.stream());
      context.spin(consumer, LATENESS_NANOS + EVENTS_AHEAD * context.eventNanos());
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

  private void open(WorkloadContext context) {
    consumer = context.newStream();
    bytes = new long[BUFFERS];
    for (int i = 0; i < BUFFERS; i++) {
      bytes[i] = context.scaled((4 + context.random().nextInt(28)) * MIB);
    }
  }
}
