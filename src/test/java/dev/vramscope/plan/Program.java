package dev.vramscope.plan;

import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Origin;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A program that is written for a test: each allocation has a name, a line of code and a size. Its
 * recording has no segments; addresses are never used twice.
 */
final class Program {
  private final Trace.Builder trace = new Trace.Builder();
  private final StackTable.Builder stacks = new StackTable.Builder();
  private final Map<String, Long> live = new HashMap<>();
  private final Map<String, Long> sizes = new HashMap<>();
  private long nextAddress;

  Program() {
    this(0);
  }

  /** At other addresses. */
  Program(int shift) {
    nextAddress = (1L + shift) << 30;
  }

  /** Allocates in a line of code; 0 for code without a stack. */
  Program allocate(String name, int line, long bytes) {
    int row = trace.add(TraceAction.ALLOC, nextAddress, bytes);
    if (line > 0) {
      trace.stack(row, stacks.stack(List.of(new Frame("forward", "/a/b/train.py", line))));
    }
    live.put(name, nextAddress);
    sizes.put(name, bytes);
    nextAddress += 1L << 24;
    return this;
  }

  Program free(String name) {
    long address = Objects.requireNonNull(live.remove(name), name);
    long bytes = Objects.requireNonNull(sizes.get(name), name);
    trace.add(TraceAction.FREE_REQUESTED, address, bytes);
    trace.add(TraceAction.FREE_COMPLETED, address, bytes);
    return this;
  }

  /** A request that fails. */
  Program fail(int line, long bytes) {
    int row = trace.add(TraceAction.OOM, 0, bytes);
    trace.stack(row, stacks.stack(List.of(new Frame("forward", "/a/b/train.py", line))));
    trace.oom(row, bytes, 0);
    return this;
  }

  /** A free of a block that was allocated before the recording. */
  Program freeEarlier(long address, long bytes) {
    trace.add(TraceAction.FREE_REQUESTED, address, bytes);
    trace.add(TraceAction.FREE_COMPLETED, address, bytes);
    return this;
  }

  SizedRecording recorded(String values) throws PlanRefusedException {
    return recorded(values, Map.of());
  }

  SizedRecording recorded(String values, Map<String, String> settings) throws PlanRefusedException {
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    Snapshot snapshot =
        new Snapshot(
            new Origin("pickle", "PyTorch 2.14", 0),
            Optional.of(new AllocatorSettings(settings)),
            List.of(device),
            stacks.build(),
            List.of());
    return SizedRecording.of(
        values + ".pickle",
        ParameterValues.parse(values),
        SnapshotInspection.of(snapshot).devices().getFirst());
  }
}
