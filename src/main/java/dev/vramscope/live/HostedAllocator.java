package dev.vramscope.live;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.bfc.RetryClock;
import dev.vramscope.allocator.pinned.PinnedAllocator;
import dev.vramscope.allocator.pinned.PinnedSettings;
import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceException;
import dev.vramscope.model.BlockState;
import dev.vramscope.recorder.NumberedSnapshot;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import dev.vramscope.store.listing.Tags;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An allocator of this process with its device and its recorder. Thread-safe.
 *
 * <p>A component that starts background work on the allocator, such as a workload, registers with
 * {@link #onClose} how to stop it.
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

  /** Access is synchronized on the list, as are changes of {@link #closing}. */
  private final List<Runnable> closeActions = new ArrayList<>();

  private volatile boolean closing;

  /** Creates the requested allocator on an open device; {@link #close} closes the device. */
  HostedAllocator(
      long id,
      HostingRequest request,
      Device device,
      LiveSettings settings,
      SnapshotSink snapshots,
      InstantSource clock,
      RetryClock retryClock) {
    this.id = id;
    this.request = request;
    this.device = device;
    this.snapshots = snapshots;
    this.clock = clock;
    created = clock.instant();
    deviceBytes = device.memory().totalBytes();
    gate = new ShutdownGate(id);
    recorder = new Recorder(clock);
    incidents =
        new Incidents(this::store, recorder::takeFailure, settings.snapshotInterval(), clock);
    guard = new OperationGuard(gate, incidents);
    ShutdownDeadline deadline = new ShutdownDeadline(retryClock, () -> closing);
    underlying = request.kind().create(device, request.settings(), deadline);
    pinned = new PinnedAllocator(device, PinnedSettings.DEFAULT, System::nanoTime);
    recorder.recordHistory(request.history());
    recorded =
        recorder.attach(
            new GuardedAllocator(guard, underlying),
            device.ordinal(),
            new HostedFacts(
                request.kind().family(),
                device,
                request.kind().limitBytes(underlying, deviceBytes)));
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

  /** The memory of the device; also known when the device is lost. */
  public long deviceBytes() {
    return deviceBytes;
  }

  /**
   * The allocator for clients. It is recorded, and every operation fails with an {@link
   * AllocatorGoneException} after the allocator was closed or lost.
   */
  public RecordedAllocator allocator() {
    return recorded;
  }

  /**
   * The unguarded allocator, for queries that only its class supports. Callers must not modify it.
   */
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

  /** The incident of a failed request, unless it was displaced by newer ones. */
  public Optional<Incident> incidentOf(OutOfDeviceMemoryException failure) {
    return Optional.ofNullable(incidents.find(failure));
  }

  /** The number of incidents so far. */
  public long incidentCount() {
    return incidents.count();
  }

  /** The blocks of REST clients. */
  public ClientBlocks clientBlocks() {
    return clientBlocks;
  }

  /**
   * Runs an operation on the device, such as the creation of a stream.
   *
   * @throws AllocatorGoneException if this allocator is closed or lost
   */
  public void runGuarded(Runnable operation) {
    guard.run(operation);
  }

  /** Records a device failure that occurred outside this allocator, for example in a workload. */
  public void report(DeviceException failure) {
    guard.report(failure);
  }

  /**
   * Stores the current state.
   *
   * @param label the reason, a label of the stored snapshot
   * @return the id of the stored snapshot
   * @throws dev.vramscope.store.files.StoreUnavailableException if it cannot be stored now
   */
  public String storeSnapshot(String label) {
    return store(label).snapshot();
  }

  private StoredTrace store(String label) {
    Tags tags = new Tags(name(), null, null, null, List.of("live", label));
    String at = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    NumberedSnapshot captured = recorder.capture();
    String id = snapshots.store(captured.snapshot(), name() + ", " + label + " at " + at, tags);
    StoredTrace trace = StoredTrace.of(id, captured, recorded.ordinal());
    incidents.stored(trace);
    return trace;
  }

  /**
   * Registers an action that stops a user of this allocator. It is called once on closing, while
   * the allocator still works but is no longer listed. After it has returned, that user must not
   * use the allocator or its blocks. Remaining blocks are then freed.
   *
   * @throws AllocatorGoneException if this allocator is closed or closing
   */
  public void onClose(Runnable action) {
    synchronized (closeActions) {
      if (closing) {
        throw AllocatorGoneException.closed(id);
      }
      closeActions.add(action);
    }
  }

  /** Removes an action whose user has already stopped. */
  public void removeOnClose(Runnable action) {
    synchronized (closeActions) {
      closeActions.remove(action);
    }
  }

  /**
   * Runs the registered actions, rejects all further operations, and releases all device memory.
   *
   * @throws AllocatorGoneException if it was closed already
   */
  void close() {
    List<Runnable> actions;
    synchronized (closeActions) {
      if (closing) {
        throw AllocatorGoneException.closed(id);
      }
      closing = true;
      actions = List.copyOf(closeActions);
    }
    try {
      runAll(actions);
    } finally {
      releaseDevice(gate.close());
    }
  }

  /** Runs all actions, even if some fail; throws the first failure. */
  private static void runAll(List<Runnable> closeActions) {
    RuntimeException first = null;
    for (Runnable action : closeActions) {
      try {
        action.run();
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

  private void releaseDevice(HostedState before) {
    try {
      if (before.isOpen()) {
        freeAll();
      }
    } catch (DeviceException failure) {
      // Closing the device releases the memory, or the device is lost.
      LOG.warn("Allocator {} was closed, but its device failed: {}", id, failure.getMessage());
    } finally {
      recorder.detach(recorded);
      device.close();
    }
  }

  private void freeAll() {
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
