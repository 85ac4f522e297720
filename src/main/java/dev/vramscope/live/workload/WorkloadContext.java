package dev.vramscope.live.workload;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.pinned.PinnedAllocator;
import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.recorder.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a workload works with: blocks that are filled and checked, streams, scopes and chance. Used
 * by the run's thread only.
 */
final class WorkloadContext implements AutoCloseable {
  private final WorkloadTarget target;
  private final WorkloadRequest request;
  private final RunCounters counters;
  private final StopSignal stop;
  private final StreamPool pool;
  private final Pacer pacer;
  private final SplittableRandom random;
  private final @Nullable Verification verification;
  private final Map<Long, WorkBlock> alive = new LinkedHashMap<>();
  private final List<Integer> streams = new ArrayList<>();
  private final int mainStream;

  WorkloadContext(
      WorkloadTarget target,
      WorkloadRequest request,
      RunCounters counters,
      StopSignal stop,
      StreamPool pool) {
    this.target = target;
    this.request = request;
    this.counters = counters;
    this.stop = stop;
    this.pool = pool;
    pacer = new Pacer(request.eventsPerSecond());
    random = new SplittableRandom(request.seed());
    verification = request.verify() ? new Verification(target.device().work(), counters) : null;
    mainStream = newStream();
  }

  /** Where sizes are drawn from. */
  SplittableRandom random() {
    return random;
  }

  WorkloadTarget target() {
    return target;
  }

  /** So many bytes at scale 1, at the scale of this run; at least one. */
  long scaled(long bytes) {
    return Math.max(1, Math.round(bytes * request.scale()));
  }

  // Streams ------------------------------------------------------------------------------------

  /** The stream that is there from the start. */
  int stream() {
    return mainStream;
  }

  int newStream() {
    int stream = pool.take();
    streams.add(stream);
    return stream;
  }

  /** What a stream does from now on comes after what another one has to do so far. */
  void order(int later, int earlier) {
    Device device = target.device();
    long event = device.streams().recordEvent(earlier);
    device.work().await(later, event);
    device.streams().freeEvent(event);
  }

  /** How far events are spread out by the run's pace; 0 for not at all. */
  long eventNanos() {
    return pacer.intervalNanos();
  }

  /** Keeps a stream busy for about so long. */
  void spin(int stream, long nanos) {
    target.device().work().spin(stream, nanos);
  }

  /** Waits until a stream has done what it has to do. */
  void synchronize(int stream) {
    target.device().streams().synchronize(stream);
  }

  // Blocks -------------------------------------------------------------------------------------

  /** Names what the run is doing: blocks allocated until the scope is closed carry it. */
  Scope scope(String name) {
    return target.recorder().scope(name);
  }

  BlockList blocks() {
    return new BlockList(this);
  }

  /** A block on the main stream. */
  WorkBlock allocate(long bytes) {
    return allocate(bytes, mainStream);
  }

  /** A block, filled with its pattern if the run verifies. */
  WorkBlock allocate(long bytes, int stream) {
    WorkBlock block = allocateUnfilled(bytes, stream);
    if (verification != null) {
      verification.fill(block);
    }
    return block;
  }

  private WorkBlock allocateUnfilled(long bytes, int stream) {
    stop.check();
    pacer.await();
    Allocator allocator = target.allocator();
    long handle = allocator.allocate(bytes, stream);
    WorkBlock block =
        new WorkBlock(handle, allocator.address(handle), bytes, stream, random.nextLong());
    alive.put(handle, block);
    counters.allocated(bytes);
    return block;
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

  /** Lets another stream use a block from now on, and says so. */
  void use(WorkBlock block, int stream) {
    target.allocator().recordStream(block.handle(), stream);
    block.users().set(stream);
    block.useBy(stream);
  }

  /** Lets another stream use a block and says it to nobody: the bug to be found. */
  void useUnrecorded(WorkBlock block, int stream) {
    block.useBy(stream);
  }

  /** Compares a block with its pattern if the run verifies. */
  void check(WorkBlock block) {
    if (verification != null) {
      verification.check(block);
    }
  }

  void free(WorkBlock block) {
    if (!stop.isRaised()) {
      pacer.await();
    }
    check(block);
    if (!target.allocator().inspect().followsStreams()) {
      block.users().stream().forEach(this::synchronize);
    }
    // Off the list first: a block whose free fails is not freed once more at the end.
    alive.remove(block.handle());
    target.allocator().free(block.handle());
    counters.freed(block.bytes());
  }

  /**
   * Checks and frees what is left, and gives the streams back.
   *
   * @throws RuntimeException the first failure; all blocks were tried
   */
  @Override
  public void close() {
    try {
      alive.values().forEach(this::check);
      settle();
    } finally {
      releaseAll();
      pool.giveBack(streams);
    }
  }

  private void settle() {
    streams.forEach(this::synchronize);
    if (verification != null) {
      verification.settle();
    }
  }

  private void releaseAll() {
    RuntimeException first = null;
    for (WorkBlock block : alive.values()) {
      try {
        target.allocator().free(block.handle());
        counters.freed(block.bytes());
      } catch (RuntimeException failed) {
        first = first == null ? failed : first;
      }
    }
    alive.clear();
    if (first != null) {
      throw first;
    }
  }
}
