package dev.vramscope.analysis.steps;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.StackTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The steps of a program, such as training steps, as ranges of trace events: step {@code i} is the
 * events from {@code start(i)} to {@code end(i)}, exclusive. The events before the first start, and
 * those after the last, belong to no complete step.
 *
 * <p>They are found, in this order, from the marks of PyTorch's profiler, the loops that the stacks
 * show, the marks of optimizers, and an allocation that recurs at regular intervals.
 */
public final class Steps {
  /** Fewer starts do not show that something recurs. */
  public static final int LEAST_STARTS = 4;

  /** The end of a step that may be incomplete. */
  private static final int OPEN = Integer.MAX_VALUE;

  /** No steps. */
  public static final Steps NONE = ofOneLoop(Source.NOT_FOUND, new int[0]);

  private final Source source;
  private final int[] starts;
  private final int[] ends;
  private final int[] loops;
  private final BitSet modelStacks;

  /** How steps were found. */
  public enum Source {
    /** Marks that the program set, such as those of PyTorch's profiler or of its optimizers. */
    ANNOTATIONS,
    /** The loops of the program's code, which the stacks show. */
    LOOPS,
    /** An allocation that recurs at regular intervals. */
    PERIODICITY,
    /** There are none, or the recording does not show them. */
    NOT_FOUND;

    /** Whether the program itself marks its steps. */
    public boolean isMarked() {
      return this == ANNOTATIONS;
    }

    /** Whether the steps are those of loops in the program's code. */
    public boolean isOfCode() {
      return this == LOOPS;
    }

    /** Whether the steps are a guess. */
    public boolean isGuessed() {
      return this == PERIODICITY;
    }
  }

  private Steps(Source source, int[] starts, int[] ends, int[] loops, BitSet modelStacks) {
    this.source = source;
    this.starts = starts;
    this.ends = ends;
    this.loops = loops;
    this.modelStacks = modelStacks;
  }

  /** Steps of one loop, each of which ends where the next one starts. */
  private static Steps ofOneLoop(Source source, int[] starts) {
    int[] ends = new int[starts.length];
    for (int i = 0; i < ends.length; i++) {
      ends[i] = i + 1 < ends.length ? starts[i + 1] : OPEN;
    }
    return new Steps(source, starts, ends, new int[starts.length], new BitSet());
  }

  /** Steps of the loops that the stacks show. */
  private static Steps ofLoops(List<LoopSteps.Step> steps, int eventCount, CodePlaces places) {
    return new Steps(
        Source.LOOPS,
        steps.stream().mapToInt(LoopSteps.Step::start).toArray(),
        steps.stream().mapToInt(step -> step.end() < eventCount ? step.end() : OPEN).toArray(),
        steps.stream().mapToInt(LoopSteps.Step::loop).toArray(),
        places.modelStacks());
  }

  /** Finds the steps of a device's trace. */
  public static Steps of(StackTable stacks, DeviceSnapshot device, ActiveBytes active) {
    int[] profiled = StepAnnotations.profilerSteps(device);
    if (profiled.length >= LEAST_STARTS) {
      return ofOneLoop(Source.ANNOTATIONS, profiled);
    }
    CodePlaces places = new CodePlaces(stacks, FrameRules.standard());
    List<LoopSteps.Step> looped =
        places.hasModules() ? LoopSteps.of(device.trace(), places) : List.of();
    if (!looped.isEmpty()) {
      return ofLoops(looped, device.trace().size(), places);
    }
    int[] marked = StepAnnotations.optimizerSteps(device);
    if (marked.length >= LEAST_STARTS) {
      return ofOneLoop(Source.ANNOTATIONS, marked);
    }
    // Calls of a model outside of all loops: what recurs there are its layers.
    int[] recurring =
        places.hasModules()
            ? new int[0]
            : new RecurringAllocations(stacks, device.trace(), active).starts();
    return ofOneLoop(recurring.length == 0 ? Source.NOT_FOUND : Source.PERIODICITY, recurring);
  }

  /** The steps that start before an event; one that contains it is incomplete. */
  public Steps before(int event) {
    int count = 0;
    while (count < starts.length && starts[count] < event) {
      count++;
    }
    int[] ended = Arrays.copyOf(ends, count);
    if (count > 0 && ended[count - 1] > event) {
      ended[count - 1] = OPEN;
    }
    return new Steps(
        count == 0 ? Source.NOT_FOUND : source,
        Arrays.copyOf(starts, count),
        ended,
        Arrays.copyOf(loops, count),
        modelStacks);
  }

  /** The steps of the loop that the last step belongs to. */
  public Steps ofLastLoop() {
    int last = starts.length - 1;
    int[] own = IntStream.rangeClosed(0, last).filter(i -> loops[i] == loops[last]).toArray();
    return new Steps(
        source,
        Arrays.stream(own).map(i -> starts[i]).toArray(),
        Arrays.stream(own).map(i -> ends[i]).toArray(),
        new int[own.length],
        modelStacks);
  }

  /** Whether a stack is inside a call of a model; false where the steps are not those of loops. */
  public boolean isModelCall(int stack) {
    return modelStacks.get(stack);
  }

  public Source source() {
    return source;
  }

  /** Number of steps that have started; the last one may be incomplete. */
  public int startCount() {
    return starts.length;
  }

  /** The first event of each step, ascending. */
  public int[] starts() {
    return starts.clone();
  }

  /** Number of complete steps. */
  public int count() {
    return starts.length - (isLastOpen() ? 1 : 0);
  }

  /** Whether the last step is incomplete; false if there is none. */
  public boolean isLastOpen() {
    return starts.length > 0 && ends[starts.length - 1] == OPEN;
  }

  /** The first event of a step. */
  public int start(int index) {
    return starts[index];
  }

  /** After the last event of a complete step. */
  public int end(int index) {
    return ends[index];
  }
}
