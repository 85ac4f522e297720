package dev.vramscope.live.workload;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorInspection;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.allocator.pinned.PinnedAllocator;
import dev.vramscope.allocator.pinned.PinnedSettings;
import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.device.MemorySubAllocator;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.OomAnalysis;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.recorder.ContextKind;
import dev.vramscope.recorder.ContextMoment;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.Recorder;
import dev.vramscope.recorder.Recording;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A run of a workload on a simulated device until its first failure, with its requests counted
 * apart from the allocator.
 */
final class FailingRun implements Allocator {
  private static final int TRIED_STREAMS = 4;
  private static final long PAGE_BYTES = 2L << 20;

  /** PyTorch serves larger requests from another pool. */
  private static final long SMALL_BYTES = 1L << 20;

  /** More than any run here has. */
  private static final int MAX_EVENTS = 1_000_000;

  /** JAX's default share of a device. */
  private static final double POOL_SHARE = 0.75;

  private final SimDevice device;
  private final long totalBytes;
  private final long othersBytes;
  private final Bench.Kind kind;
  private final OptionalLong limit;
  private final Allocator underlying;
  private final Recorder recorder = new Recorder(InstantSource.system());
  private final Allocator recorded;

  private final List<Long> sizes = new ArrayList<>();
  private final List<Long> liveBefore = new ArrayList<>();
  private final List<Integer> stepStarts = new ArrayList<>();
  private final Map<Long, Long> blocks = new HashMap<>();
  private long liveBytes;
  private long peakBytes;
  private @Nullable Failure failure;

  /**
   * The first failed request.
   *
   * @param request its number, from 0
   * @param liveBytes all live blocks, each rounded as its allocator does
   * @param askedBytes the request, rounded likewise
   * @param capacityBytes what the allocator could have: without others, up to its limit
   * @param totalBytes the size of the device
   * @param limitBytes that limit, if there is one
   * @param isServedWithoutOthers when others released their memory, it was served
   * @param isServedWithTwice when the device got twice its memory, it was served
   * @param isServedByOtherStream another stream had a block for it
   * @param isServedWithoutLimit the driver had enough for it
   * @param isServedAlone an allocator with nothing else on a device without others serves it
   * @param isServedByOtherPool PyTorch's pool of the other size class had a block for it
   * @param cachedBytes what the allocator had reserved beyond the live blocks
   */
  record Failure(
      int request,
      long liveBytes,
      long askedBytes,
      long capacityBytes,
      long totalBytes,
      OptionalLong limitBytes,
      boolean isServedWithoutOthers,
      boolean isServedWithTwice,
      boolean isServedByOtherStream,
      boolean isServedWithoutLimit,
      boolean isServedAlone,
      boolean isServedByOtherPool,
      long cachedBytes,
      OomReport report) {
    @Override
    public String toString() {
      return ("request %d of %,d with %,d live of %,d; without others %s, with twice %s, by another"
              + " stream %s, without limit %s: %s %s, %s")
          .formatted(
              request,
              askedBytes,
              liveBytes,
              capacityBytes,
              isServedWithoutOthers,
              isServedWithTwice,
              isServedByOtherStream,
              isServedWithoutLimit,
              report.verdict(),
              report.alsoPresent(),
              report.counterfactuals().applicable().stream()
                  .map(row -> row.name().id() + " " + row.answer())
                  .toList());
    }
  }

  private FailingRun(Bench.Kind kind, long totalBytes, long othersBytes) {
    this.kind = kind;
    this.totalBytes = totalBytes;
    this.othersBytes = othersBytes;
    // A second half of the device that is not there until the request is tried with it.
    device = SimDevice.ofBytes(2 * totalBytes);
    device.setExternalBytes(totalBytes + othersBytes);
    BfcOptions options =
        kind == Bench.Kind.BFC
            ? BfcOptions.jaxPreallocated(0, totalBytes, POOL_SHARE)
            : BfcOptions.jaxGrowing(0, totalBytes, POOL_SHARE);
    boolean isBfc = kind == Bench.Kind.BFC || kind == Bench.Kind.BFC_GROWING;
    limit = isBfc ? OptionalLong.of(options.limitBytes()) : OptionalLong.empty();
    underlying =
        switch (kind) {
          case CACHING -> new CachingAllocator(device, CachingOptions.of(""));
          case CACHING_EXPANDABLE ->
              new CachingAllocator(device, CachingOptions.of("expandable_segments:True"));
          case BFC, BFC_GROWING ->
              BfcAllocator.forReplay(options, new MemorySubAllocator(device.memory()));
          case DIRECT -> new DirectAllocator(device);
        };
    AllocatorFamily family =
        switch (kind) {
          case CACHING, CACHING_EXPANDABLE -> AllocatorFamily.CACHING;
          case BFC, BFC_GROWING -> AllocatorFamily.BFC;
          case DIRECT -> AllocatorFamily.DIRECT;
        };
    recorder.recordHistory(
        new HistorySettings(
            Recording.ALL, ContextKind.SCOPES, ContextMoment.ALLOC, 1, 64, MAX_EVENTS));
    recorded =
        recorder.attach(
            underlying,
            0,
            () ->
                new AllocatorFacts(
                    family,
                    OptionalLong.of(totalBytes),
                    OptionalLong.of(device.memory().freeBytes()),
                    limit,
                    true));
  }

  /** Runs a workload until its first failure, or for many steps. */
  static FailingRun of(
      WorkloadKind work, Bench.Kind kind, int seed, long totalBytes, long othersBytes) {
    FailingRun run = new FailingRun(kind, totalBytes, othersBytes);
    int steps =
        switch (work) {
          case INFERENCE_KV_CACHE -> 300;
          case LEAK -> 120;
          default -> 40;
        };
    run.run(work, seed, steps);
    return run;
  }

  private void run(WorkloadKind work, int seed, int steps) {
    Workload workload = AllWorkloadsTest.workload(work);
    Workload counted =
        context -> {
          stepStarts.add(sizes.size());
          workload.step(context);
        };
    WorkloadRun run =
        new WorkloadRun(
            1,
            new WorkloadTarget(
                device,
                this,
                underlying,
                new PinnedAllocator(device, PinnedSettings.DEFAULT, System::nanoTime),
                recorder,
                _ -> Optional.empty(),
                _ -> {}),
            new WorkloadRequest(work.id(), steps, seed, 1, 0, false, false, null),
            counted,
            new StreamPool(device.streams()),
            new Pacer(0),
            CoreShare.ofMachine(),
            () -> {});
    run.start();
    if (!run.awaitEnd(Duration.ofSeconds(60))) {
      throw new AssertionError("not ended: " + run.progress());
    }
    if (run.progress().state() instanceof WorkloadState.Failed(String reason) && failure == null) {
      throw new AssertionError(reason);
    }
  }

  Optional<Failure> failure() {
    return Optional.ofNullable(failure);
  }

  long peakBytes() {
    return peakBytes;
  }

  /** The first request that does not fit into this much memory, however it is placed. */
  int failsAt(long capacity) {
    for (int i = 0; i < sizes.size(); i++) {
      if (liveBefore.get(i) + sizes.get(i) > capacity) {
        return i;
      }
    }
    return Integer.MAX_VALUE;
  }

  /** Whether memory had grown until a request, also over the later half of the steps before it. */
  boolean grewUntil(int request) {
    int step = stepOf(request);
    long later = liveAt(step) - liveAt(step / 2);
    return step >= 5 && later > 0 && 4 * later >= liveAt(step) - liveAt(1);
  }

  /** Whether a step needs more than a quarter more than any step before it, which are alike. */
  boolean isSpike(int request, long neededBytes) {
    int step = stepOf(request);
    long largest = 0;
    for (int i = 0; i < stepStarts.get(step); i++) {
      largest = Math.max(largest, liveBefore.get(i) + sizes.get(i));
    }
    return step >= 3 && neededBytes >= 1.2 * largest;
  }

  private int stepOf(int request) {
    int step = 0;
    while (step + 1 < stepStarts.size() && stepStarts.get(step + 1) <= request) {
      step++;
    }
    return step;
  }

  private long liveAt(int step) {
    return liveBefore.get(Math.min(stepStarts.get(step), sizes.size() - 1));
  }

  @Override
  public long allocate(long bytes, int stream) {
    try {
      long block = recorded.allocate(bytes, stream);
      sizes.add(rounded(bytes));
      liveBefore.add(liveBytes);
      liveBytes += rounded(bytes);
      peakBytes = Math.max(peakBytes, liveBytes);
      blocks.put(block, rounded(bytes));
      return block;
    } catch (OutOfDeviceMemoryException full) {
      failure = failed(bytes, stream);
      throw full;
    }
  }

  private Failure failed(long bytes, int stream) {
    Snapshot snapshot = recorder.snapshot();
    DeviceSnapshot captured = snapshot.devices().getFirst();
    RecordedHistory history = RecordedHistory.of(snapshot.stacks(), captured);
    RecordedDevice memory = new RecordedDevice(captured, history.active(), OptionalLong.empty());
    OomEvent oom = captured.trace().ooms().getLast();
    OomReport report = OomAnalysis.of(snapshot, captured, history, oom, memory.atFailure(oom));
    boolean isServedWithoutLimit = limit.isPresent() && device.memory().freeBytes() >= bytes;
    boolean isServedAlone = new FailingRun(kind, totalBytes, 0).isServed(bytes, 0);
    AllocatorTotals totals = underlying.inspect().totals();
    // Blocks of BFC are larger than their requests.
    long cachedBytes =
        totals.reservedBytes() - (limit.isPresent() ? liveBytes : totals.allocatedBytes());
    boolean isServedByOtherPool = bytes <= SMALL_BYTES && isServed(SMALL_BYTES + 1, stream);
    boolean isServedByOtherStream = false;
    for (int other = 0; other < TRIED_STREAMS; other++) {
      isServedByOtherStream |= other != stream && isServed(bytes, other);
    }
    device.setExternalBytes(totalBytes);
    boolean isServedWithoutOthers = isServed(bytes, stream);
    device.setExternalBytes(0);
    boolean isServedWithTwice = isServed(bytes, stream);
    return new Failure(
        sizes.size(),
        liveBytes,
        rounded(bytes),
        Math.min(totalBytes - othersBytes, limit.orElse(Long.MAX_VALUE)),
        totalBytes,
        limit,
        isServedWithoutOthers,
        isServedWithTwice,
        isServedByOtherStream,
        isServedWithoutLimit,
        isServedAlone,
        isServedByOtherPool,
        cachedBytes,
        report);
  }

  private boolean isServed(long bytes, int stream) {
    try {
      underlying.free(underlying.allocate(bytes, stream));
      underlying.emptyCache();
      return true;
    } catch (OutOfDeviceMemoryException full) {
      return false;
    }
  }

  private long rounded(long bytes) {
    long unit =
        switch (kind) {
          case CACHING, CACHING_EXPANDABLE -> 512;
          case BFC, BFC_GROWING -> 256;
          case DIRECT -> PAGE_BYTES;
        };
    return Math.ceilDiv(bytes, unit) * unit;
  }

  @Override
  public void free(long block) {
    liveBytes -= Objects.requireNonNull(blocks.remove(block));
    recorded.free(block);
  }

  @Override
  public long address(long block) {
    return recorded.address(block);
  }

  @Override
  public void recordStream(long block, int stream) {
    recorded.recordStream(block, stream);
  }

  @Override
  public void emptyCache() {
    recorded.emptyCache();
  }

  @Override
  public AllocatorInspection inspect() {
    return recorded.inspect();
  }
}
