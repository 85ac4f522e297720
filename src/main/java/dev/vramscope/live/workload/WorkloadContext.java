package dev.vramscope.live.workload;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.pinned.PinnedAllocator;
import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.recorder.RecordedScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a workload: blocks that are filled and checked, streams, scopes and random
 * numbers. Used only by the thread of the run.
 */
final class WorkloadContext implements AutoCloseable {
  private final WorkloadTarget target;
  private final WorkloadRequest request;
  private final RunCounters counters;
  private final StopSignal stop;
  private final StreamPool pool;
  private final Pacer pacer;
  private final CoreShare.Turn turn;
  private final SplittableRandom random;
  private final @Nullable Verification verification;
  private final Map<Long, WorkBlock> live = new LinkedHashMap<>();
  private final List<Integer> streams = new ArrayList<>();
  private final int mainStream;

  WorkloadContext(
      WorkloadTarget target,
      WorkloadRequest request,
      RunCounters counters,
      StopSignal stop,
      StreamPool pool,
      Pacer pacer,
      CoreShare.Turn turn) {
    this.target = target;
    this.request = request;
    this.counters = counters;
    this.stop = stop;
    this.pool = pool;
    this.pacer = pacer;
    this.turn = turn;
    random = new SplittableRandom(request.seed());
    verification = request.verify() ? new Verification(target.device().work(), counters) : null;
    mainStream = newStream();
  }

  /** The source of random sizes. */
  SplittableRandom random() {
    return random;
  }

  WorkloadTarget target() {
    return target;
  }

  /** Bytes at scale 1, converted to the scale of this run; at least 1. */
  long scaled(long bytes) {
    return Math.max(1, Math.round(bytes * request.scale()));
  }

  // Streams ------------------------------------------------------------------------------------

  /** The main stream, created with the context. */
  int stream() {
    return mainStream;
  }

  int newStream() {
    int stream = pool.acquire();
    streams.add(stream);
    return stream;
  }

  /** Makes later work of one stream wait for the work enqueued so far on another. */
  void order(int later, int earlier) {
    Device device = target.device();
    long event = device.streams().recordEvent(earlier);
    device.work().await(later, event);
    device.streams().freeEvent(event);
  }

  /** The interval between events at the pace of the run; 0 without a limit. */
  long eventNanos() {
    return pacer.intervalNanos();
  }

  /** Keeps a stream busy for about this time. */
  void spin(int stream, long nanos) {
    target.device().work().spin(stream, nanos);
  }

  /** Waits until a stream has completed its work. */
  void synchronize(int stream) {
    turn.release();
    target.device().streams().synchronize(stream);
  }

  // Blocks -------------------------------------------------------------------------------------

  /** Opens a scope; blocks that are allocated until it is closed have it in their context. */
  RecordedScope scope(String name) {
    return target.recorder().scope(name);
  }

  BlockList blocks() {
    return new BlockList(this);
  }

  /** Allocates a block on the main stream. */
  WorkBlock allocate(long bytes) {
    return allocate(bytes, mainStream);
  }

  /** Allocates a block, and fills it with its pattern if the run verifies. */
  WorkBlock allocate(long bytes, int stream) {
    WorkBlock block = allocateUnfilled(bytes, stream);
    if (verification != null) {
      verification.fill(block);
    }
    return block;
  }

  private WorkBlock allocateUnfilled(long bytes, int stream) {
    stop.check();
    awaitTurn();
    Allocator allocator = target.allocator();
    long handle = allocator.allocate(bytes, stream);
    WorkBlock block =
        new WorkBlock(handle, allocator.address(handle), bytes, stream, random.nextLong());
    live.put(handle, block);
    counters.allocated(bytes);
    return block;
  }

  /** Waits until the pace of the run allows the next event, and a core is free. */
  private void awaitTurn() {
    pacer.await(turn::release);
    turn.pass();
  }

  /**
   * A block whose contents are copied from pinned host memory by a stream. The pinned memory is
   * freed while the copy is in flight: the pinned allocator must not reuse it before.
   */
  WorkBlock load(long bytes, int copyStream) {
    WorkBlock block = allocateUnfilled(bytes, copyStream);
    DeviceWork work = target.device().work();
    PinnedAllocator pinned = target.pinned();
    long staging = pinned.allocate(bytes);
    try {
      long hostAddress = pinned.address(staging);
      if (verification != null) {
        work.fillHost(hostAddress, bytes, block.seed());
        counters.filled(bytes);
      }
      pinned.recordStream(staging, copyStream);
      work.copyToDevice(copyStream, hostAddress, block.address(), bytes);
    } finally {
      pinned.free(staging);
    }
    return block;
  }

  /** Uses a block on another stream, and records that with the allocator. */
  void use(WorkBlock block, int stream) {
    target.allocator().recordStream(block.handle(), stream);
    block.users().set(stream);
    block.setLastUser(stream);
  }

  /** Uses a block on another stream without recording it: the bug that verification detects. */
  void useUnrecorded(WorkBlock block, int stream) {
    block.setLastUser(stream);
  }

  /** Checks a block against its pattern if the run verifies. */
  void check(WorkBlock block) {
    if (verification != null) {
      verification.check(block);
    }
  }

  void free(WorkBlock block) {
    if (!stop.isRaised()) {
      awaitTurn();
    }
    check(block);
    if (!target.allocator().inspect().tracksStreamUse()) {
      block.users().stream().forEach(this::synchronize);
    }
    // Removed first, so that a block whose free fails is not freed again on close.
    live.remove(block.handle());
    target.allocator().free(block.handle());
    counters.freed(block.bytes());
  }

  /**
   * Checks and frees the remaining blocks, and returns the streams.
   *
   * @throws RuntimeException the first failure; all blocks are processed
   */
  @Override
  public void close() {
    try {
      live.values().forEach(this::check);
      awaitChecks();
    } finally {
      freeAll();
      pool.release(streams);
    }
  }

  private void awaitChecks() {
    turn.release();
    streams.forEach(this::synchronize);
    if (verification != null) {
      verification.awaitAll();
    }
  }

  private void freeAll() {
    RuntimeException first = null;
    for (WorkBlock block : live.values()) {
      try {
        target.allocator().free(block.handle());
        counters.freed(block.bytes());
      } catch (RuntimeException failure) {
        first = first == null ? failure : first;
      }
    }
    live.clear();
    if (first != null) {
      throw first;
    }
  }
}
