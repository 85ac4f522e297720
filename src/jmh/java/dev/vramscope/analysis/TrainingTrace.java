package dev.vramscope.analysis;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A trace like that of a training run. Each step allocates activations and temporary memory, and
 * frees the activations in reverse order. Addresses are reused; parameters are never freed.
 */
final class TrainingTrace {
  private static final long SLOT = 64L << 20;

  private final SplittableRandom random;
  private final int events;
  private final Trace.Builder trace = new Trace.Builder();
  private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();
  private final List<Live> activations = new ArrayList<>();
  private int slots;

  private record Live(int slot, long bytes) {}

  private TrainingTrace(int events, long seed) {
    this.events = events;
    random = new SplittableRandom(seed);
  }

  static DeviceSnapshot of(int events, long seed) {
    return new TrainingTrace(events, seed).run();
  }

  private DeviceSnapshot run() {
    for (int parameter = 0; parameter < 500; parameter++) {
      allocate();
    }
    while (!isFull()) {
      for (int layer = 0; layer < 400 && !isFull(); layer++) {
        activations.add(allocate());
        if (random.nextInt(3) == 0) {
          free(allocate());
        }
      }
      while (!activations.isEmpty() && !isFull()) {
        Live gradient = allocate();
        free(activations.removeLast());
        free(gradient);
      }
    }
    return new DeviceSnapshot(0, List.of(), trace.build(), List.of());
  }

  private boolean isFull() {
    return trace.size() >= events;
  }

  private Live allocate() {
    Integer slot = freeSlots.pollFirst();
    Live made = new Live(slot == null ? slots++ : slot, 1 + random.nextLong(SLOT));
    add(TraceAction.ALLOC, made);
    return made;
  }

  private void free(Live live) {
    add(TraceAction.FREE_REQUESTED, live);
    add(TraceAction.FREE_COMPLETED, live);
    freeSlots.addLast(live.slot);
  }

  private void add(TraceAction action, Live live) {
    if (!isFull()) {
      trace.add(action, 0x7f00_0000_0000L + live.slot * SLOT, live.bytes);
    }
  }
}
