package dev.vramscope.live.workload;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.device.MemorySubAllocator;
import dev.vramscope.device.sim.LiveSimDevice;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import java.time.Duration;
import java.time.InstantSource;

/** An allocator on a simulated card, and the runs on it. */
record Bench(LiveSimDevice device, WorkloadTarget target, StreamPool streams) {
  static final long MIB = 1L << 20;

  enum Kind {
    CACHING,
    CACHING_EXPANDABLE,
    BFC,
    BFC_GROWING,
    DIRECT
  }

  static Bench of(Kind kind, long cardBytes) {
    return of(kind, cardBytes, HistorySettings.OFF);
  }

  static Bench of(Kind kind, long cardBytes, HistorySettings history) {
    LiveSimDevice device = SimDevice.live(cardBytes);
    Allocator bare =
        switch (kind) {
          case CACHING -> new CachingAllocator(device, CachingOptions.of(""));
          case CACHING_EXPANDABLE ->
              new CachingAllocator(device, CachingOptions.of("expandable_segments:True"));
          case BFC -> bfc(device, BfcOptions.jaxPreallocated(0, cardBytes, 0.75));
          case BFC_GROWING -> bfc(device, BfcOptions.jaxGrowing(0, cardBytes, 0.75));
          case DIRECT -> new DirectAllocator(device);
        };
    Recorder recorder = new Recorder(InstantSource.system());
    recorder.recordHistory(history);
    RecordedAllocator allocator = recorder.attach(bare, 0);
    return new Bench(
        device,
        new WorkloadTarget(device, allocator, bare, recorder, _ -> {}),
        new StreamPool(device.streams()));
  }

  private static Allocator bfc(LiveSimDevice device, BfcOptions options) {
    return BfcAllocator.forReplay(options, new MemorySubAllocator(device.memory()));
  }

  Allocator allocator() {
    return target.allocator();
  }

  /** Runs a workload to its end. */
  WorkloadProgress run(Workload workload, WorkloadRequest request) {
    WorkloadRun run = start(workload, request);
    if (!run.awaitEnd(Duration.ofSeconds(60))) {
      run.stop();
      throw new AssertionError("The run has not ended: " + run.progress());
    }
    return run.progress();
  }

  WorkloadRun start(Workload workload, WorkloadRequest request) {
    WorkloadRun run = new WorkloadRun(1, target, request, workload, streams, () -> {});
    run.start();
    return run;
  }
}
