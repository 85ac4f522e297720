package dev.vramscope.live.workload;

import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.live.workload.BlocksBefore.Before;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Does again what a stored snapshot's trace tells of the device with the most events: first what
 * was alive before, then event by event, one a step.
 *
 * <p>Each of the trace's streams is a stream here, each of its private pools a pool, if the
 * allocator has such. A trace does not say which streams used a block, only when the last of them
 * was done with it; so a block whose free was completed later is freed that late. Where the
 * original ran out of memory, the request is tried too, and given back at once if there is room.
 */
final class TraceReplayWorkload implements Workload {
  private final Trace trace;
  private final StackTable stacks;
  private final List<Before> before;
  private final boolean tellsCompletions;
  private final Map<Integer, OomEvent> ooms = new HashMap<>();
  private final WorkloadTarget target;
  private final ReplayPools pools;

  private final Map<Long, WorkBlock> blockAt = new HashMap<>();
  private final Map<Long, Integer> streams = new HashMap<>();
  private final Map<Integer, String> scopes = new HashMap<>();
  private int next;
  private MemoryVerdict.@Nullable DoesNotFit failed;

  private TraceReplayWorkload(
      DeviceSnapshot device, StackTable stacks, WorkloadTarget target, ReplayPools pools) {
    trace = device.trace();
    this.stacks = stacks;
    before = BlocksBefore.of(device);
    tellsCompletions =
        IntStream.range(0, trace.size())
            .anyMatch(event -> trace.action(event) == TraceAction.FREE_COMPLETED);
    trace.ooms().forEach(oom -> ooms.put(oom.event(), oom));
    this.target = target;
    this.pools = pools;
  }

  /**
   * A re-enactment.
   *
   * @param run a number that no other run of this process has
   * @throws InvalidWorkloadException if the snapshot has no blocks and no events
   */
  static TraceReplayWorkload of(Snapshot snapshot, WorkloadTarget target, long run) {
    DeviceSnapshot device =
        snapshot.devices().stream()
            .max(Comparator.comparingInt(each -> each.trace().size()))
            .orElseThrow(
                () ->
                    new InvalidWorkloadException(
                        "snapshot",
                        "The snapshot has no blocks and no events: there is nothing to re-enact."));
    return new TraceReplayWorkload(
        device, snapshot.stacks(), target, ReplayPools.of(target.underlying(), run));
  }

  @Override
  public long stepCount() {
    return (long) before.size() + trace.size();
  }

  @Override
  public void step(WorkloadContext context) {
    if (next < before.size()) {
      Before block = before.get(next);
      int event = MemoryVerdict.DoesNotFit.BEFORE_THE_TRACE;
      blockAt.put(
          block.address(),
          allocate(context, event, block.bytes(), block.stream(), block.pool(), block.stack()));
    } else {
      play(context, next - before.size());
    }
    next++;
    failed = null;
  }

  private void play(WorkloadContext context, int event) {
    switch (trace.action(event)) {
      case ALLOC -> {
        // A trace that lost events may allocate where something lies already.
        free(context, event);
        blockAt.put(trace.address(event), allocate(context, event, trace.bytes(event)));
      }
      case FREE_REQUESTED -> {
        if (!tellsCompletions || isCompletedAtOnce(event)) {
          free(context, event);
        }
      }
      case FREE_COMPLETED -> free(context, event);
      case OOM -> {
        OomEvent oom = ooms.get(event);
        if (oom != null && oom.requestedBytes() > 0) {
          context.free(allocate(context, event, oom.requestedBytes()));
        }
      }
      default -> {
        // What the original allocator did by itself is for this one to decide.
      }
    }
  }

  private boolean isCompletedAtOnce(int event) {
    return event + 1 < trace.size()
        && trace.action(event + 1) == TraceAction.FREE_COMPLETED
        && trace.address(event + 1) == trace.address(event);
  }

  private void free(WorkloadContext context, int event) {
    WorkBlock block = blockAt.remove(trace.address(event));
    if (block != null) {
      context.free(block);
    }
  }

  private WorkBlock allocate(WorkloadContext context, int event, long bytes) {
    return allocate(
        context, event, bytes, trace.stream(event), trace.pool(event), trace.stack(event));
  }

  private WorkBlock allocate(
      WorkloadContext context,
      int event,
      long bytes,
      long stream,
      @Nullable PoolId pool,
      int stack) {
    int here = streams.computeIfAbsent(stream, _ -> context.newStream());
    long scaled = context.scaled(bytes);
    try (var _ = context.scope(scope(stack))) {
      return pools.in(pool, here, () -> context.allocate(scaled, here));
    } catch (OutOfDeviceMemoryException full) {
      failed = new MemoryVerdict.DoesNotFit(event, trace.size(), scaled, stream);
      throw new OutOfDeviceMemoryException(
          scaled,
          (event == MemoryVerdict.DoesNotFit.BEFORE_THE_TRACE
                  ? "Before the first event, "
                  : "At event " + event + " of " + trace.size() + ", ")
              + scaled
              + " bytes for stream "
              + stream
              + ": "
              + full.getMessage());
    }
  }

  /** The innermost Python frame, or the innermost of all. */
  private String scope(int stack) {
    return stack == StackTable.NONE
        ? "unknown"
        : scopes.computeIfAbsent(
            stack,
            _ -> {
              List<Frame> frames = stacks.framesOf(stack);
              return frames.stream()
                  .filter(frame -> frame.file().endsWith(".py"))
                  .findFirst()
                  .orElse(frames.getFirst())
                  .name();
            });
  }

  @Override
  public @Nullable MemoryVerdict verdict() {
    if (failed != null) {
      return failed;
    }
    if (next < stepCount()) {
      return null;
    }
    AllocatorTotals totals = target.allocator().inspect().totals();
    return new MemoryVerdict.Fits(
        trace.size(), before.size(), totals.peakAllocatedBytes(), totals.peakReservedBytes());
  }

  @Override
  public void close() {
    pools.release();
  }
}
