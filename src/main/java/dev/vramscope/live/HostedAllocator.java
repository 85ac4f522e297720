package dev.vramscope.live;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.pinned.PinnedAllocator;
import dev.vramscope.allocator.pinned.PinnedSettings;
import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceException;
import dev.vramscope.model.BlockState;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import dev.vramscope.store.Tags;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An allocator of this process with its card and its recorder. Safe for use by several threads.
 *
 * <p>Whoever starts something that goes on by itself, such as a workload, registers with {@link
 * #onClose} how it is ended.
 */
public final class HostedAllocator {
  private static final Logger LOG = LoggerFactory.getLogger(HostedAllocator.class);

  private final long id;
  private final HostingRequest request;
  private final Instant created;
  private final Device device;
  private final SnapshotSink snapshots;
  private final InstantSource clock;
  private final ShutdownGate gate;
  private final OperationGuard guard;
  private final Incidents incidents;
  private final Allocator underlying;
  private final PinnedAllocator pinned;
  private final Recorder recorder;
  private final RecordedAllocator recorded;
  private final ClientBlocks clientBlocks;
  private final long deviceBytes;

  /** Guarded by itself, as is the change of {@link #closing}. */
  private final List<Runnable> endings = new ArrayList<>();

  private volatile boolean closing;

  /** Hosts what was requested on an open card, which it closes in the end. */
  HostedAllocator(
      long id,
      HostingRequest request,
      Device device,
      LiveSettings settings,
      SnapshotSink snapshots,
      InstantSource clock) {
    this.id = id;
    this.request = request;
    this.device = device;
    this.snapshots = snapshots;
    this.clock = clock;
    created = clock.instant();
    deviceBytes = device.memory().totalBytes();
    gate = new ShutdownGate(id);
    incidents = new Incidents(this::storeSnapshot, settings.snapshotInterval(), clock);
    guard = new OperationGuard(gate, incidents);
    underlying =
        request.kind().over(device, request.settings(), new ShutdownDeadline(() -> closing));
    pinned = new PinnedAllocator(device, PinnedSettings.DEFAULT, System::nanoTime);
    recorder = new Recorder(clock);
    recorder.recordHistory(request.history());
    recorded = recorder.attach(new GuardedAllocator(guard, underlying), device.ordinal());
    clientBlocks = new ClientBlocks(this, settings);
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

  /** The size of the card, also when it is lost. */
  public long deviceBytes() {
    return deviceBytes;
  }

  /**
   * The allocator for clients: recorded, and refusing every change with an {@link
   * AllocatorGoneException} once it is closed or lost.
   */
  public RecordedAllocator allocator() {
    return recorded;
  }

  /** The allocator itself, for questions that only its kind answers. Changes go not this way. */
  public Allocator underlying() {
    return underlying;
  }

  /** The pinned host memory that workloads on this allocator stage their input in. */
  public PinnedAllocator pinned() {
    return pinned;
  }

  public Recorder recorder() {
    return recorder;
  }

  public HostedState state() {
    return gate.state();
  }

  /** The latest incidents, newest first. */
  public List<Incident> incidents() {
    return incidents.latest();
  }

  /** The incident that a failed request became, unless many more came since. */
  public Optional<Incident> incidentOf(OutOfDeviceMemoryException failure) {
    return incidents().stream()
        .filter(
            incident -> incident instanceof Incident.OutOfMemory oom && oom.failure() == failure)
        .findFirst();
  }

  /** How many incidents there were. */
  public long incidentCount() {
    return incidents.count();
  }

  /** What remote clients hold. */
  public ClientBlocks clientBlocks() {
    return clientBlocks;
  }

  /**
   * Makes a change on the card, as making a stream is one.
   *
   * @throws AllocatorGoneException if this allocator is closed or lost
   */
  public void change(Runnable change) {
    guard.run(change);
  }

  /** Puts on record that the card failed in a way this allocator did not see, as in a workload. */
  public void report(DeviceException failure) {
    guard.report(failure);
  }

  /**
   * Stores the present state.
   *
   * @param label why
   * @return what was kept
   * @throws dev.vramscope.store.StoreUnavailableException if it cannot be stored now
   */
  public SnapshotSink.Stored storeSnapshot(String label) {
    Tags tags = new Tags(name(), null, null, null, List.of("live", label));
    String at = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    return snapshots.store(recorder.snapshot(), name() + ", " + label + " at " + at, tags);
  }

  /**
   * Registers how something ends that uses this allocator. It is called once, while the allocator
   * still works but nobody else finds it; after it has returned nothing may use the allocator or
   * its blocks any more. What is still allocated is freed then.
   *
   * @throws AllocatorGoneException if this allocator is closed, or about to be
   */
  public void onClose(Runnable ending) {
    synchronized (endings) {
      if (closing) {
        throw AllocatorGoneException.closed(id);
      }
      endings.add(ending);
    }
  }

  /** Forgets an ending: what it would end has ended. */
  public void forgetOnClose(Runnable ending) {
    synchronized (endings) {
      endings.remove(ending);
    }
  }

  /**
   * Ends what was registered, refuses every further change, and gives everything back to the card.
   *
   * @throws AllocatorGoneException if somebody else closed it
   */
  void close() {
    List<Runnable> ending;
    synchronized (endings) {
      if (closing) {
        throw AllocatorGoneException.closed(id);
      }
      closing = true;
      ending = List.copyOf(endings);
    }
    try {
      runAll(ending);
    } finally {
      giveBack(gate.close());
    }
  }

  /** One that fails does not keep the others from ending. */
  private static void runAll(List<Runnable> endings) {
    RuntimeException first = null;
    for (Runnable ending : endings) {
      try {
        ending.run();
      } catch (RuntimeException failure) {
        if (first == null) {
          first = failure;
        } else {
          first.addSuppressed(failure);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private void giveBack(HostedState before) {
    try {
      if (before.isOpen()) {
        release();
      }
    } catch (DeviceException failure) {
      // The card takes back what it has, or is lost with all of it.
      LOG.warn("Allocator {} was closed, but its card failed: {}", id, failure.getMessage());
    } finally {
      recorder.detach(recorded);
      device.close();
    }
  }

  private void release() {
    device.streams().synchronizeAll();
    List<Long> allocated = new ArrayList<>();
    underlying
        .inspect()
        .visitSegments(
            segment ->
                segment.blocks().stream()
                    .filter(block -> block.state() == BlockState.ALLOCATED)
                    .map(BlockView::handle)
                    .forEach(allocated::add));
    allocated.forEach(underlying::free);
    underlying.emptyCache();
    pinned.emptyCache();
  }
}
