package dev.vramscope.live.lab;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.allocator.bfc.RetryClock;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.live.AllocatorKind;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.recorder.Recorder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/** One allocator with its device, and the blocks of the script. Single-threaded. */
final class LabAllocator {
  private final Setup setup;
  private final SimDevice device;
  private final Allocator underlying;
  private Allocator allocator;
  private final RunningKernels kernels;
  private final StepEvents events;

  /** The handles of the blocks that the script holds, by the script's numbers. */
  private final Map<Long, Long> handles = new HashMap<>();

  /** The number of the latest block at an address. */
  private final Map<Long, Long> idAt = new HashMap<>();

  private final List<String> trace = new ArrayList<>();
  private long externalBytes;

  /**
   * Creates the allocator.
   *
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch would
   *     reject the settings
   * @throws dev.vramscope.live.HostingRefusedException if BFC's settings are rejected
   */
  LabAllocator(Setup setup) {
    this.setup = setup;
    device = SimDevice.ofBytes(setup.deviceBytes());
    underlying = setup.kind().create(device, setup.settings(), RetryClock.virtual());
    events = new StepEvents(setup.kind() == AllocatorKind.BFC);
    underlying.inspect().addListener(events);
    allocator = underlying;
    kernels = new RunningKernels(device.streams(), trace::add);
  }

  /** Lets a recorder record the history from here on. */
  void recordOn(Recorder recorder) {
    allocator = recorder.attach(underlying, device.ordinal(), this::facts);
  }

  private AllocatorFacts facts() {
    return new AllocatorFacts(
        setup.kind().family(),
        OptionalLong.of(setup.deviceBytes()),
        OptionalLong.of(device.memory().freeBytes()),
        setup.kind().limitBytes(underlying, setup.deviceBytes()),
        /* isSimulated= */ true);
  }

  Setup setup() {
    return setup;
  }

  SimDevice device() {
    return device;
  }

  Allocator allocator() {
    return underlying;
  }

  RunningKernels kernels() {
    return kernels;
  }

  /** Calls of the driver, refused ones included, since the start. */
  long driverCalls() {
    return events.driverCalls();
  }

  /** How often the cache was released for a request, since the start. */
  long retries() {
    return events.retries();
  }

  long externalBytes() {
    return externalBytes;
  }

  /** The number of the latest block at an address; {@link ShownBlock#NO_ID} if there was none. */
  long idAt(long address) {
    return idAt.getOrDefault(address, ShownBlock.NO_ID);
  }

  List<SegmentView> segments() {
    List<SegmentView> segments = new ArrayList<>();
    underlying.inspect().visitSegments(segments::add);
    return segments;
  }

  /** What the operations so far are called in a trace for the command {@code replay}. */
  List<String> trace() {
    return trace;
  }

  /** Runs an operation. */
  Applied apply(Operation operation) {
    events.clear();
    Applied applied =
        switch (operation) {
          case Operation.Allocate allocate -> allocate(allocate);
          case Operation.Free free -> free(free);
          case Operation.RecordStream record -> recordStream(record);
          case Operation.Launch launch -> launch(launch);
          case Operation.Finish finish -> {
            note(finish);
            yield kernels.finish(finish.stream())
                ? Applied.done(Applied.NO_ADDRESS)
                : Applied.nothing("No kernel runs on stream " + finish.stream() + ".");
          }
          case Operation.Synchronize synchronize -> {
            note(synchronize);
            yield Applied.finished(kernels.synchronize(synchronize.stream()));
          }
          case Operation.SynchronizeAll all -> {
            note(all);
            yield Applied.finished(kernels.synchronizeAll());
          }
          case Operation.EmptyCache emptyCache -> emptyCache(emptyCache);
          case Operation.External external -> {
            device.setExternalBytes(external.bytes());
            externalBytes = external.bytes();
            trace.add(
                isBfc()
                    ? "capacity " + Math.max(0, setup.deviceBytes() - external.bytes())
                    : external.text());
            yield Applied.done(Applied.NO_ADDRESS);
          }
          case Operation.SetFraction fraction -> setFraction(fraction);
          case Operation.Label label -> {
            trace.add(label.text());
            yield Applied.done(Applied.NO_ADDRESS);
          }
        };
    kernels.completeEvents();
    return applied.with(events);
  }

  private Applied allocate(Operation.Allocate request) {
    if (handles.containsKey(request.id())) {
      return Applied.nothing("Block " + request.id() + " is allocated already.");
    }
    trace.add(isBfc() ? "malloc " + request.id() + " " + request.bytes() : request.text());
    try {
      long handle = allocator.allocate(request.bytes(), request.stream());
      long address = allocator.address(handle);
      handles.put(request.id(), handle);
      long previous = idAt(address);
      idAt.put(address, request.id());
      return Applied.allocated(address, previous);
    } catch (OutOfDeviceMemoryException failure) {
      return Applied.failed(String.valueOf(failure.getMessage()));
    }
  }

  private Applied free(Operation.Free free) {
    Long handle = handles.remove(free.id());
    if (handle == null) {
      return notAllocated(free.id());
    }
    trace.add(free.text());
    long address = allocator.address(handle);
    if (setup.kind() == AllocatorKind.DIRECT) {
      // cudaFree returns when the device has finished its work.
      kernels.synchronizeAll();
    }
    allocator.free(handle);
    return Applied.done(address);
  }

  private Applied recordStream(Operation.RecordStream record) {
    Long handle = handles.get(record.id());
    if (handle == null) {
      return notAllocated(record.id());
    }
    trace.add(isBfc() ? "# " + record.text() : record.text());
    allocator.recordStream(handle, record.stream());
    return switch (setup.kind()) {
      case CACHING -> Applied.done(allocator.address(handle));
      case BFC ->
          Applied.nothing(
              "The BFC allocator does not know streams: XLA orders the work and the frees itself.");
      case DIRECT ->
          Applied.nothing("Nothing to remember: a free waits for the work of all streams anyway.");
    };
  }

  private Applied launch(Operation.Launch launch) {
    Long handle = handles.get(launch.id());
    if (handle == null) {
      return notAllocated(launch.id());
    }
    if (kernels.isFull()) {
      return Applied.nothing(
          RunningKernels.MAX_RUNNING + " kernels are running, the most in the lab: finish some.");
    }
    note(launch);
    long address = allocator.address(handle);
    long bytes = Objects.requireNonNull(allocator.inspect().blockAt(address)).bytes();
    kernels.launch(launch.stream(), launch.id(), address, bytes);
    return Applied.done(address);
  }

  private Applied emptyCache(Operation.EmptyCache emptyCache) {
    return switch (setup.kind()) {
      case CACHING -> {
        trace.add(emptyCache.text());
        allocator.emptyCache();
        yield Applied.done(Applied.NO_ADDRESS);
      }
      case BFC -> {
        note(emptyCache);
        yield Applied.nothing("XLA’s allocator has no such call: it keeps its regions.");
      }
      case DIRECT -> {
        note(emptyCache);
        yield Applied.nothing("There is no cache: what was freed is with the driver already.");
      }
    };
  }

  private Applied setFraction(Operation.SetFraction fraction) {
    if (underlying instanceof CachingAllocator caching) {
      trace.add(fraction.text());
      caching.setMemoryFraction(fraction.fraction());
      return Applied.done(Applied.NO_ADDRESS);
    }
    note(fraction);
    return Applied.nothing(
        isBfc()
            ? "The share of a BFC allocator is a setting (mem_fraction), and cannot change."
            : "Without an allocator of the framework there is no limit but the device’s.");
  }

  /** A line that only the lab understands. */
  private void note(Operation operation) {
    trace.add("# " + operation.text());
  }

  private boolean isBfc() {
    return setup.kind() == AllocatorKind.BFC;
  }

  private static Applied notAllocated(long id) {
    return Applied.nothing("Block " + id + " is not allocated, so nothing happens.");
  }
}
