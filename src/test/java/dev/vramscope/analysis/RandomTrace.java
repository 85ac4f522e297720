package dev.vramscope.analysis;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random trace with stacks of user, package and C++ frames, for comparison with a slow recount.
 * Addresses may be reused; there are no segments.
 */
public record RandomTrace(DeviceSnapshot device, Lifetimes lifetimes, StackClasses classes) {
  private static final int SLOTS = 40;

  public static RandomTrace of(long seed, int events) {
    SplittableRandom random = new SplittableRandom(seed);
    StackTable.Builder stacks = new StackTable.Builder();
    List<Integer> known = new ArrayList<>();
    known.add(StackTable.NONE);
    for (int i = 0; i < 30; i++) {
      List<Frame> frames = new ArrayList<>();
      int depth = 1 + random.nextInt(6);
      for (int d = 0; d < depth; d++) {
        frames.add(frame(random.nextInt(9)));
      }
      known.add(stacks.stack(frames));
    }
    Trace.Builder trace = new Trace.Builder();
    long[] live = new long[SLOTS];
    while (trace.size() < events) {
      int slot = random.nextInt(SLOTS);
      long address = 0x1000_0000L + slot * 0x1_0000L;
      int row;
      if (live[slot] == 0) {
        live[slot] = 1L + random.nextInt(60_000);
        row = trace.add(TraceAction.ALLOC, address, live[slot]);
      } else {
        row = trace.add(TraceAction.FREE_REQUESTED, address, live[slot]);
        if (random.nextInt(4) > 0) {
          trace.add(TraceAction.FREE_COMPLETED, address, live[slot]);
          live[slot] = 0;
        } else {
          trace.stream(row, 7);
          trace.add(TraceAction.FREE_COMPLETED, address, live[slot]);
          live[slot] = 0;
        }
      }
      trace.stack(row, known.get(random.nextInt(known.size())));
    }
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    return new RandomTrace(
        device, Lifetimes.of(device), FrameRules.standard().classify(stacks.build()));
  }

  private static Frame frame(int number) {
    return switch (number % 3) {
      case 0 -> new Frame("own" + number, "/me/train.py", 10 + number);
      case 1 -> new Frame("call" + number, "/x/site-packages/torch/nn.py", number);
      default -> new Frame("c10::f" + number, "??", 0);
    };
  }

  public StackTable stacks() {
    return classes.stacks();
  }
}
