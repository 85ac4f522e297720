package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.device.MemorySubAllocator;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.cause.Verdict;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.Recorder;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The answer to "would this request fit" must be that of the allocator itself: random states of
 * real allocators on a simulated device, a snapshot, and then the request.
 */
class FitAgainstAllocatorTest {
  private static final long MIB = 1 << 20;
  private static final long DEVICE_BYTES = 512 * MIB;
  private static final int ROUNDS = 2400;
  private static final PoolId[] PRIVATE = {new PoolId(0, 7), new PoolId(9, 0)};

  static final List<String> SETTINGS =
      List.of(
          "",
          "expandable_segments:True",
          "max_split_size_mb:64",
          "max_split_size_mb:32,max_non_split_rounding_mb:40",
          "max_split_size_mb:48,expandable_segments:True",
          "roundup_power2_divisions:4",
          "roundup_power2_divisions:[8:2,64:8,>:1]",
          "large_segment_size_mb:40,max_split_size_mb:64",
          "large_segment_size_mb:32,expandable_segments:True",
          "per_process_memory_fraction:0.6",
          "per_process_memory_fraction:0.5,garbage_collection_threshold:0.4",
          "per_process_memory_fraction:0.7,max_split_size_mb:64",
          "per_process_memory_fraction:0.7,throw_on_cudamalloc_oom:True");

  private final int[] certain = new int[3];
  private int fromCache;
  private int likely;
  private int wrongThoughLikely;
  private int undecided;

  @Test
  void cachingAllocatorDoesWhatACertainAnswerSays() {
    for (int seed = 1; seed <= ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      String settings = SETTINGS.get(random.nextInt(SETTINGS.size()));
      SimDevice device = SimDevice.ofBytes(DEVICE_BYTES);
      CachingAllocator allocator = new CachingAllocator(device, CachingOptions.of(settings));
      double fraction = allocator.memoryFraction();
      OptionalLong limit =
          fraction < 1
              ? OptionalLong.of(Math.round(fraction * DEVICE_BYTES))
              : OptionalLong.empty();
      new RandomUse(allocator, device, random).run();
      compare(seed + " " + settings, AllocatorFamily.CACHING, allocator, device, limit, random);
    }
    checkThatManyAreCertain();
  }

  @Test
  void bfcAllocatorDoesWhatACertainAnswerSays() {
    for (int seed = 1; seed <= ROUNDS / 4; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SimDevice device = SimDevice.ofBytes(DEVICE_BYTES);
      BfcOptions options =
          random.nextBoolean()
              ? BfcOptions.jaxGrowing(0, DEVICE_BYTES, 0.75)
              : BfcOptions.jaxPreallocated(0, DEVICE_BYTES, 0.75);
      BfcAllocator allocator =
          BfcAllocator.forReplay(options, new MemorySubAllocator(device.memory()));
      OptionalLong limit = OptionalLong.of(options.limitBytes());
      new RandomUse(allocator, device, random).run();
      compare("bfc " + seed, AllocatorFamily.BFC, allocator, device, limit, random);
    }
    checkThatManyAreCertain();
  }

  @Test
  void directAllocatorDoesWhatACertainAnswerSays() {
    for (int seed = 1; seed <= ROUNDS / 4; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SimDevice device = SimDevice.ofBytes(DEVICE_BYTES);
      DirectAllocator allocator = new DirectAllocator(device);
      new RandomUse(allocator, device, random).run();
      compare(
          "direct " + seed,
          AllocatorFamily.DIRECT,
          allocator,
          device,
          OptionalLong.empty(),
          random);
    }
    checkThatManyAreCertain();
  }

  private void checkThatManyAreCertain() {
    String counts =
        certain[0]
            + " certain fits ("
            + fromCache
            + " from the cache), "
            + certain[1]
            + " certain failures, "
            + likely
            + " likely ("
            + wrongThoughLikely
            + " wrong), "
            + undecided
            + " undecided";
    assertThat(certain[0]).as(counts).isGreaterThan(40);
    assertThat(certain[1]).as(counts).isGreaterThan(40);
    assertThat(undecided).as(counts).isLessThan(certain[0] + certain[1]);
  }

  private void compare(
      String what,
      AllocatorFamily family,
      Allocator allocator,
      SimDevice device,
      OptionalLong limit,
      SplittableRandom random) {
    Recorder recorder = new Recorder(InstantSource.system());
    recorder.recordHistory(HistorySettings.all());
    recorder.attach(
        allocator,
        0,
        () ->
            new AllocatorFacts(
                family,
                OptionalLong.of(DEVICE_BYTES),
                OptionalLong.of(device.memory().freeBytes()),
                limit,
                true));
    Snapshot snapshot = recorder.snapshot();
    DeviceSnapshot recorded = snapshot.devices().getFirst();
    long bytes = size(random);
    int stream = random.nextInt(3);
    RecordedDevice memory =
        new RecordedDevice(
            recorded, ActiveBytes.of(recorded, Lifetimes.of(recorded)), OptionalLong.empty());
    Verdict verdict =
        OomAnalysis.ofHypothetical(snapshot, recorded, bytes, stream, memory).verdict();
    long freeBefore = device.memory().freeBytes();
    long callsBefore = device.memory().allocateCount();
    boolean fits = allocates(allocator, bytes, stream);
    boolean isFromCache =
        device.memory().freeBytes() == freeBefore && device.memory().allocateCount() == callsBefore;
    boolean isWrong = verdict.cause() == Cause.FITS != fits;
    switch (verdict.certainty()) {
      case CERTAIN -> {
        certain[fits ? 0 : 1]++;
        assertThat(verdict.cause() == Cause.FITS)
            .as("%s: %d bytes on stream %d: %s", what, bytes, stream, verdict)
            .isEqualTo(fits);
        if (verdict.sentence().contains(" fits into ")) {
          fromCache++;
          assertThat(isFromCache).as("%s: served from the cache: %s", what, verdict).isTrue();
        }
      }
      case LIKELY -> {
        likely++;
        wrongThoughLikely += isWrong ? 1 : 0;
      }
      case UNDECIDED -> undecided++;
    }
    assertThat(verdict.certainty() == Certainty.UNDECIDED)
        .as("%s: %s", what, verdict)
        .isEqualTo(verdict.cause() == Cause.UNKNOWN);
  }

  private static boolean allocates(Allocator allocator, long bytes, int stream) {
    try {
      allocator.allocate(bytes, stream);
      return true;
    } catch (OutOfDeviceMemoryException full) {
      return false;
    }
  }

  static long size(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> 1 + random.nextLong(MIB);
      case 1 -> 1 + random.nextLong(12 * MIB);
      case 2 -> (1 + random.nextLong(300)) * MIB;
      default -> 1 + random.nextLong(90 * MIB);
    };
  }

  /** Allocates and frees on several streams and in private pools, with pending frees. */
  static final class RandomUse {
    private final Allocator allocator;
    private final SimDevice device;
    private final SplittableRandom random;
    private final List<Long> blocks = new ArrayList<>();

    RandomUse(Allocator allocator, SimDevice device, SplittableRandom random) {
      this.allocator = allocator;
      this.device = device;
      this.random = random;
    }

    /** The handles of the live blocks. */
    List<Long> blocks() {
      return blocks;
    }

    void run() {
      device.streams().create();
      device.streams().create();
      int steps = 5 + random.nextInt(60);
      boolean isCrowded = random.nextInt(4) > 0;
      for (int step = 0; step < steps; step++) {
        int dice = random.nextInt(100);
        if (dice < (isCrowded ? 60 : 45)) {
          allocate();
        } else if (dice < 92) {
          free();
        } else if (dice < 96) {
          device.streams().synchronizeAll();
        } else if (dice < 98) {
          allocator.emptyCache();
        } else {
          inPrivatePool();
        }
      }
    }

    private void allocate() {
      try {
        long block = allocator.allocate(size(random), random.nextInt(3));
        if (random.nextInt(6) == 0) {
          allocator.recordStream(block, random.nextInt(3));
        }
        blocks.add(block);
      } catch (OutOfDeviceMemoryException full) {
        free();
      }
    }

    private void free() {
      if (!blocks.isEmpty()) {
        allocator.free(blocks.remove(random.nextInt(blocks.size())));
      }
    }

    private void inPrivatePool() {
      if (allocator instanceof CachingAllocator caching) {
        PoolId pool = PRIVATE[random.nextInt(PRIVATE.length)];
        try {
          caching.memoryPools().setUsedOnOutOfMemory(pool, random.nextInt(3) == 0);
          caching.memoryPools().beginAllocate(pool, _ -> true);
          allocate();
          caching.memoryPools().endAllocate(pool);
          if (random.nextInt(3) == 0) {
            caching.memoryPools().release(pool);
          }
        } catch (IllegalStateException released) {
          // The pool was released by its last user.
        }
      }
    }
  }
}
