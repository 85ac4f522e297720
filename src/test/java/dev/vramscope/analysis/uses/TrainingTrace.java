package dev.vramscope.analysis.uses;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The trace of a training program that a test writes: allocations with names and stacks. No address
 * is used twice, and what it allocates itself is in no segment.
 */
public class TrainingTrace {
  public static final Frame MAIN = new Frame("main", "/home/me/train.py", 3);
  public static final Frame LOAD = new Frame("load", "/home/me/train.py", 9);
  public static final Frame INIT = new Frame("__init__", "/home/me/model.py", 5);
  public static final Frame FORWARD = new Frame("forward", "/home/me/model.py", 20);
  public static final Frame BACKWARD = new Frame("backward", "/home/me/attention.py", 80);
  public static final Frame STEP =
      new Frame("_multi_tensor_adam", "/x/site-packages/torch/optim/adam.py", 790);
  public static final Frame STATE = optimizerState("adam");

  private final StackTable.Builder stacks = new StackTable.Builder();
  private final Trace.Builder trace = new Trace.Builder();
  private final List<String> names = new ArrayList<>();
  private final Map<String, Long> addresses = new HashMap<>();
  private final Map<String, Long> sizes = new HashMap<>();
  private final List<Segment> segments = new ArrayList<>();
  private int failedStack = StackTable.NONE;
  private int earlierCount;

  /** The frame that creates the state of an optimizer, by the name of its file. */
  public static Frame optimizerState(String optimizer) {
    return new Frame("_init_group", "/x/site-packages/torch/optim/" + optimizer + ".py", 178);
  }

  public int stack(Frame... innermostFirst) {
    return stacks.stack(List.of(innermostFirst));
  }

  /** Allocates memory; without frames, its stack is not recorded. Returns the event. */
  public int allocate(String name, long bytes, Frame... innermostFirst) {
    long address = (names.size() + 1L) << 30;
    int event = trace.add(TraceAction.ALLOC, address, bytes);
    trace.stack(event, stack(innermostFirst));
    names.add(name);
    addresses.put(name, address);
    sizes.put(name, bytes);
    return event;
  }

  public void allocateOnStream(long stream, String name, long bytes, Frame... innermostFirst) {
    trace.stream(allocate(name, bytes, innermostFirst), stream);
  }

  public void declare(String name, long bytes, String metadata, Frame... innermostFirst) {
    trace.userMetadata(allocate(name, bytes, innermostFirst), metadata);
  }

  public void free(String... freed) {
    for (String name : freed) {
      free(address(name), Objects.requireNonNull(sizes.get(name), name));
    }
  }

  /** Frees memory that was allocated before the recording. */
  public void freeEarlier(long bytes) {
    free((1L << 50) + (++earlierCount << 30), bytes);
  }

  private void free(long address, long bytes) {
    trace.add(TraceAction.FREE_REQUESTED, address, bytes);
    trace.add(TraceAction.FREE_COMPLETED, address, bytes);
  }

  /** Memory that was allocated before the recording and is live at its end, with its stack. */
  public void keepEarlier(long bytes, Frame... innermostFirst) {
    long address = (1L << 51) + ((long) segments.size() << 30);
    Block block = new Block(address, bytes, bytes, BlockState.ALLOCATED, stack(innermostFirst));
    segments.add(
        new Segment(
            address,
            bytes,
            0,
            PoolKind.LARGE,
            PoolId.DEFAULT,
            false,
            StackTable.NONE,
            List.of(block)));
  }

  /** A request that fails. */
  public void fail(long bytes, Frame... innermostFirst) {
    int event = trace.add(TraceAction.OOM, 0, bytes);
    failedStack = stack(innermostFirst);
    trace.stack(event, failedStack);
    trace.oom(event, bytes, 0);
  }

  public long address(String name) {
    return Objects.requireNonNull(addresses.get(name), name);
  }

  /** The uses of all allocations of the trace. */
  public Map<String, Use> uses() {
    Lifetimes lifetimes = lifetimes();
    Uses uses = uses(lifetimes, classes());
    Map<String, Use> found = new HashMap<>();
    for (int row = lifetimes.liveBeforeCount(); row < lifetimes.size(); row++) {
      found.put(names.get(row - lifetimes.liveBeforeCount()), uses.use(row));
    }
    return found;
  }

  /** The number of events. */
  public int size() {
    return trace.size();
  }

  /** The stack of the request that failed last; 0 without one. */
  public int failedStack() {
    return failedStack;
  }

  public Lifetimes lifetimes() {
    return Lifetimes.of(new DeviceSnapshot(0, segments, trace.build(), List.of()));
  }

  public StackClasses classes() {
    return FrameRules.standard().classify(stacks.build());
  }

  public Uses uses(Lifetimes lifetimes, StackClasses classes) {
    return Uses.of(lifetimes, classes, trace.build().userMetadata());
  }
}
