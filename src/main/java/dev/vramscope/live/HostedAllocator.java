package dev.vramscope.live;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.BlockState;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.device.Device;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An allocator of this process with its card and its recorder. Safe for use by several threads.
 *
 * <p>Whoever starts something that goes on by itself, such as a workload, registers with {@link
 * #onClose} how it is ended.
 */
public final class HostedAllocator {
  private final long id;
  private final HostingRequest request;
  private final Instant created;
  private final Device device;
  private final Gate gate;
  private final Allocator bare;
  private final Recorder recorder;
  private final RecordedAllocator recorded;
  private final List<Runnable> endings = new CopyOnWriteArrayList<>();

  HostedAllocator(long id, HostingRequest request, Device device, InstantSource clock) {
    this.id = id;
    this.request = request;
    this.device = device;
    created = clock.instant();
    gate = new Gate(id);
    bare = request.kind().over(device, request.settings(), new GatedClock(gate));
    recorder = new Recorder(clock);
    recorder.recordHistory(request.history());
    recorded = recorder.attach(new GatedAllocator(gate, bare), device.ordinal());
  }

  public long id() {
    return id;
  }

  public String name() {
    return request.name();
  }

  public DeviceChoice choice() {
    return request.device();
  }

  public AllocatorKind kind() {
    return request.kind();
  }

  public String settings() {
    return request.settings();
  }

  public Instant created() {
    return created;
  }

  public Device device() {
    return device;
  }

  /**
   * The allocator for clients: recorded, and refusing every change with an {@link
   * AllocatorGoneException} once it is closed or lost.
   */
  public RecordedAllocator allocator() {
    return recorded;
  }

  /** The allocator itself, for questions that only its kind answers. Changes go not this way. */
  public Allocator bare() {
    return bare;
  }

  public Recorder recorder() {
    return recorder;
  }

  public HostedState state() {
    return gate.state();
  }

  /** The latest incidents, newest first. */
  public List<Incident> incidents() {
    return List.of();
  }

  /**
   * Registers how something ends that uses this allocator. It is called once, when the allocator
   * refuses changes already and before its blocks are freed; after it has returned nothing may use
   * them any more.
   *
   * @throws AllocatorGoneException if this allocator is closed or lost
   */
  public void onClose(Runnable ending) {
    long stamp = gate.enter();
    try {
      endings.add(ending);
    } finally {
      gate.leave(stamp);
    }
  }

  /** Forgets an ending: what it would end has ended. */
  public void forgetOnClose(Runnable ending) {
    endings.remove(ending);
  }

  /**
   * Refuses every further change, ends what was registered, and gives everything back to the card.
   *
   * @throws AllocatorGoneException if somebody else closed it
   */
  void close() {
    HostedState before = gate.close();
    endings.forEach(Runnable::run);
    if (before.isOpen()) {
      release();
    }
  }

  private void release() {
    device.streams().synchronizeAll();
    List<Long> allocated = new ArrayList<>();
    bare.visitSegments(
        segment ->
            segment.blocks().stream()
                .filter(block -> block.state() == BlockState.ALLOCATED)
                .map(BlockView::handle)
                .forEach(allocated::add));
    allocated.forEach(bare::free);
    bare.emptyCache();
  }
}
