package dev.vramscope.analysis.diff;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * A random program that allocates at some lines of its code, with a list of what it holds after
 * every event. A program of another seed shares some of the lines and stacks.
 */
final class RandomRun {
  private static final int LINES = 12;

  /** An allocation: its frames, innermost first, none if not recorded. */
  record Live(List<Frame> frames, long bytes, int row) {}

  private final SplittableRandom random;
  private final UnaryOperator<Frame> writtenAs;
  private final StackTable.Builder stacks = new StackTable.Builder();
  private final Trace.Builder trace = new Trace.Builder();
  private final List<Live> live = new ArrayList<>();
  private final List<List<Live>> states = new ArrayList<>();
  private long address = 1 << 20;

  private RandomRun(long seed, UnaryOperator<Frame> writtenAs) {
    random = new SplittableRandom(seed);
    this.writtenAs = writtenAs;
  }

  /**
   * @param writtenAs changes the frames that the snapshot contains, but not those of {@link #held}
   */
  static RandomRun of(long seed, int steps, UnaryOperator<Frame> writtenAs) {
    RandomRun run = new RandomRun(seed, writtenAs);
    for (int step = 0; step < steps; step++) {
      run.step();
    }
    return run;
  }

  private void step() {
    if (live.isEmpty() || random.nextInt(100) < 60) {
      List<Frame> frames = random.nextInt(10) == 0 ? List.of() : stack();
      long bytes = random.nextInt(20) == 0 ? 0 : random.nextLong(1 << 20);
      address += 1 << 20;
      int event = trace.add(TraceAction.ALLOC, address, bytes);
      trace.stack(event, stacks.stack(frames.stream().map(writtenAs).toList()));
      live.add(new Live(frames, bytes, event));
    } else {
      Live freed = live.remove(random.nextInt(live.size()));
      long at = trace.address(freed.row());
      trace.add(TraceAction.FREE_REQUESTED, at, freed.bytes());
      states.add(withFreed(freed)); // still active until the free is completed
      trace.add(TraceAction.FREE_COMPLETED, at, freed.bytes());
    }
    states.add(List.copyOf(live));
  }

  private List<Live> withFreed(Live freed) {
    List<Live> all = new ArrayList<>(live);
    all.add(freed);
    return all;
  }

  /** Every function has one line with allocations; the functions of a seed are some of 20. */
  private List<Frame> stack() {
    int line = random.nextInt(LINES) + (random.nextBoolean() ? 8 : 0);
    List<Frame> frames = new ArrayList<>();
    frames.add(new Frame("at::empty()", "??", 0));
    frames.add(new Frame("layer" + line, "/home/a/project/layers/part" + line + ".py", line));
    frames.add(new Frame("step", "/home/a/project/train.py", 1 + random.nextInt(2)));
    return frames;
  }

  int eventCount() {
    return trace.size();
  }

  /** What is active after an event; nothing before the first. */
  List<Live> held(int event) {
    return event < 0 ? List.of() : states.get(event);
  }

  /** The analyzed snapshot after an event. */
  DeviceMoment moment(int event) {
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    Lifetimes lifetimes = Lifetimes.of(device);
    return new DeviceMoment(
        lifetimes,
        ActiveBytes.of(device, lifetimes),
        FrameRules.standard().classify(stacks.build()),
        event);
  }
}
