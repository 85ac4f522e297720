package dev.vramscope.live.workload;

import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.analysis.lifetimes.Lifetimes;
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
 * Replays the trace of a stored snapshot, for the device with the most events. It first allocates
 * the initial blocks, which according to {@link Lifetimes} were allocated before the first event,
 * and then replays one event per step.
 *
 * <p>Each stream of the trace is mapped to a stream of the device, and each private pool to a pool
 * if the allocator supports private pools. A trace does not record which streams used a block, only
 * when the last use completed, so a block whose free completed later is freed when it completed. A
 * request that ran out of memory in the original is repeated; if it succeeds, its block is freed
 * immediately.
 */
final class TraceReplayWorkload implements Workload {
  /**
   * A block from before the first event.
   *
   * @param bytes the requested size where recorded, else the size of the block
   * @param pool null if not recorded
   * @param stack where it was allocated, if recorded
   */
  private record InitialBlock(
      long address, long bytes, long stream, @Nullable PoolId pool, int stack) {}

  private final Trace trace;
  private final StackTable stacks;
  private final List<InitialBlock> initialBlocks;
  private final boolean recordsCompletions;
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
    initialBlocks = initialBlocks(device);
    recordsCompletions =
        IntStream.range(0, trace.size())
            .anyMatch(event -> trace.action(event) == TraceAction.FREE_COMPLETED);
    trace.ooms().forEach(oom -> ooms.put(oom.event(), oom));
    this.target = target;
    this.pools = pools;
  }

  /**
   * Creates a replay.
   *
   * @param run a number that is unique in this process
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
                        "The snapshot has no blocks and no events: there is nothing to replay."));
    return new TraceReplayWorkload(
        device, snapshot.stacks(), target, ReplayPools.of(target.underlying(), run));
  }

  /** In address order, so that neighbouring blocks are allocated one after another. */
  private static List<InitialBlock> initialBlocks(DeviceSnapshot device) {
    Lifetimes lifetimes = Lifetimes.of(device);
    return IntStream.range(0, lifetimes.liveBeforeCount())
        .mapToObj(
            row ->
                new InitialBlock(
                    lifetimes.address(row),
                    lifetimes.bytes(row),
                    lifetimes.stream(row),
                    lifetimes.pool(row),
                    lifetimes.stack(row)))
        .sorted(Comparator.comparing(InitialBlock::address, Long::compareUnsigned))
        .toList();
  }

  @Override
  public long stepCount() {
    return (long) initialBlocks.size() + trace.size();
  }

  @Override
  public void step(WorkloadContext context) {
    if (next < initialBlocks.size()) {
      InitialBlock block = initialBlocks.get(next);
      int event = MemoryVerdict.DoesNotFit.BEFORE_FIRST_EVENT;
      blockAt.put(
          block.address(),
          allocate(context, event, block.bytes(), block.stream(), block.pool(), block.stack()));
    } else {
      replay(context, next - initialBlocks.size());
    }
    next++;
    failed = null;
  }

  private void replay(WorkloadContext context, int event) {
    switch (trace.action(event)) {
      case ALLOC -> {
        // A trace with missing events may allocate at the address of a live block.
        free(context, event);
        blockAt.put(trace.address(event), allocate(context, event, trace.bytes(event)));
      }
      case FREE_REQUESTED -> {
        if (!recordsCompletions || completesImmediately(event)) {
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
        // Segments are acquired and released as the target allocator decides.
      }
    }
  }

  private boolean completesImmediately(int event) {
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
    int mapped = streams.computeIfAbsent(stream, _ -> context.newStream());
    long scaled = context.scaled(bytes);
    try (var _ = context.scope(scope(stack))) {
      return pools.allocateIn(pool, mapped, () -> context.allocate(scaled, mapped));
    } catch (OutOfDeviceMemoryException full) {
      failed = new MemoryVerdict.DoesNotFit(event, trace.size(), scaled, stream);
      throw new OutOfDeviceMemoryException(
          scaled,
          (event == MemoryVerdict.DoesNotFit.BEFORE_FIRST_EVENT
                  ? "Before the first event, "
                  : "At event " + event + " of " + trace.size() + ", ")
              + scaled
              + " bytes for stream "
              + stream
              + ": "
              + full.getMessage());
    }
  }

  /** Names a scope after the innermost Python frame, or the innermost frame if there is none. */
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
        trace.size(),
        initialBlocks.size(),
        totals.peakAllocatedBytes(),
        totals.peakReservedBytes());
  }

  @Override
  public void close() {
    pools.release();
  }
}
