package dev.vramscope.live.workload;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.allocator.pinned.PinnedAllocator;
import dev.vramscope.allocator.pinned.PinnedSettings;
import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceLostException;
import dev.vramscope.device.MemorySubAllocator;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/** An allocator on a simulated or given device, and the runs on it. */
record Bench(Device device, WorkloadTarget target, StreamPool streams) {
  static final long MIB = 1L << 20;

  enum Kind {
    CACHING,
    CACHING_EXPANDABLE,
    BFC,
    BFC_GROWING,
    DIRECT
  }

  static Bench of(Kind kind, long deviceBytes) {
    return of(kind, deviceBytes, HistorySettings.OFF);
  }

  static Bench of(Kind kind, long deviceBytes, HistorySettings history) {
    return of(kind, SimDevice.timed(deviceBytes), history);
  }

  static Bench of(Kind kind, Device device, HistorySettings history) {
    long deviceBytes = device.memory().totalBytes();
    Allocator underlying =
        switch (kind) {
          case CACHING -> new CachingAllocator(device, CachingOptions.of(""));
          case CACHING_EXPANDABLE ->
              new CachingAllocator(device, CachingOptions.of("expandable_segments:True"));
          case BFC -> bfc(device, BfcOptions.jaxPreallocated(0, deviceBytes, 0.75));
          case BFC_GROWING -> bfc(device, BfcOptions.jaxGrowing(0, deviceBytes, 0.75));
          case DIRECT -> new DirectAllocator(device);
        };
    Recorder recorder = new Recorder(InstantSource.system());
    recorder.recordHistory(history);
    RecordedAllocator allocator = recorder.attach(underlying, 0);
    return new Bench(
        device,
        new WorkloadTarget(
            device,
            allocator,
            underlying,
            new PinnedAllocator(device, PinnedSettings.DEFAULT, System::nanoTime),
            recorder,
            _ -> Optional.empty(),
            _ -> {}),
        new StreamPool(device.streams()));
  }

  private static Allocator bfc(Device device, BfcOptions options) {
    return BfcAllocator.forReplay(options, new MemorySubAllocator(device.memory()));
  }

  Allocator allocator() {
    return target.allocator();
  }

  PinnedAllocator pinned() {
    return target.pinned();
  }

  /** Returns a copy that notifies a listener when the device is lost. */
  Bench onLoss(Consumer<DeviceLostException> listener) {
    return new Bench(
        device,
        new WorkloadTarget(
            device,
            target.allocator(),
            target.underlying(),
            target.pinned(),
            target.recorder(),
            target.incidentOf(),
            listener),
        streams);
  }

  /** The memory that is allocated on the device. */
  long usedBytes() {
    return device.memory().totalBytes() - device.memory().freeBytes();
  }

  /** Runs a workload to its end. */
  WorkloadProgress run(Workload workload, WorkloadRequest request) {
    return run(workload, request, new Pacer(request.operationsPerSecond()));
  }

  WorkloadProgress run(Workload workload, WorkloadRequest request, Pacer pacer) {
    WorkloadRun run = start(workload, request, pacer);
    if (!run.awaitEnd(Duration.ofSeconds(60))) {
      run.stop();
      throw new AssertionError("The run has not ended: " + run.progress());
    }
    return run.progress();
  }

  WorkloadRun start(Workload workload, WorkloadRequest request) {
    return start(workload, request, new Pacer(request.operationsPerSecond()));
  }

  WorkloadRun start(Workload workload, WorkloadRequest request, Pacer pacer) {
    WorkloadRun run = unstarted(workload, request, pacer);
    run.start();
    return run;
  }

  WorkloadRun unstarted(Workload workload, WorkloadRequest request, Pacer pacer) {
    return new WorkloadRun(
        1, target, request, workload, streams, pacer, CoreShare.ofMachine(), () -> {});
  }
}
