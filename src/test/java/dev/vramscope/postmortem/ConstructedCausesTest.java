package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.device.MemorySubAllocator;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.Recorder;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Failures of hosted allocators on a simulated device: each program is written so that it can fail
 * for one reason only, in sizes and settings that depend on the seed.
 */
class ConstructedCausesTest {
  private static final long MIB = 1 << 20;
  private static final long DEVICE_BYTES = 16L << 30;
  private static final int SEEDS = 25;

  /** Programs and the causes that they are written for. */
  enum Program {
    CACHING_LIVE(AllocatorFamily.CACHING, Cause.TOO_MUCH_LIVE),
    CACHING_LEAK(AllocatorFamily.CACHING, Cause.LEAK),
    CACHING_SPIKE(AllocatorFamily.CACHING, Cause.SPIKE),
    CACHING_PIECES(AllocatorFamily.CACHING, Cause.FRAGMENTATION),
    CACHING_OTHER_STREAM(AllocatorFamily.CACHING, Cause.OTHER_STREAM),
    CACHING_PRIVATE_POOL(AllocatorFamily.CACHING, Cause.OTHER_POOL),
    CACHING_CAPTURE(AllocatorFamily.CACHING, Cause.CAPTURE_KEEPS_CACHE),
    CACHING_PENDING(AllocatorFamily.CACHING, Cause.PENDING_FREES),
    CACHING_OUTSIDE(AllocatorFamily.CACHING, Cause.OUTSIDE_ALLOCATOR),
    CACHING_LIMIT(AllocatorFamily.CACHING, Cause.LIMIT),
    CACHING_EXCEEDS(AllocatorFamily.CACHING, Cause.REQUEST_EXCEEDS_DEVICE),
    BFC_LIVE(AllocatorFamily.BFC, Cause.TOO_MUCH_LIVE),
    BFC_LEAK(AllocatorFamily.BFC, Cause.LEAK),
    BFC_PIECES(AllocatorFamily.BFC, Cause.FRAGMENTATION),
    BFC_LIMIT(AllocatorFamily.BFC, Cause.LIMIT),
    DIRECT_LIVE(AllocatorFamily.DIRECT, Cause.TOO_MUCH_LIVE),
    DIRECT_LEAK(AllocatorFamily.DIRECT, Cause.LEAK),
    DIRECT_SPIKE(AllocatorFamily.DIRECT, Cause.SPIKE),
    DIRECT_OUTSIDE(AllocatorFamily.DIRECT, Cause.OUTSIDE_ALLOCATOR);

    private final AllocatorFamily family;
    private final Cause cause;

    Program(AllocatorFamily family, Cause cause) {
      this.family = family;
      this.cause = cause;
    }
  }

  @ParameterizedTest
  @EnumSource
  void theCauseIsTheOneThatTheProgramIsWrittenFor(Program program) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      OomReport report = new Run(program, new SplittableRandom(seed)).report();
      assertThat(report.verdict().cause())
          .as("seed %d: %s %s", seed, report.verdict(), report.counterfactuals())
          .isEqualTo(program.cause);
      assertThat(report.verdict().sentence()).contains(program.cause.label());
    }
  }

  /** One run of a program until its request fails. */
  private static final class Run {
    private final Program program;
    private final SplittableRandom random;
    private final SimDevice device = SimDevice.ofBytes(DEVICE_BYTES);
    private final Allocator allocator;
    private final OptionalLong limit;
    private final Recorder recorder = new Recorder(InstantSource.system());

    Run(Program program, SplittableRandom random) {
      this.program = program;
      this.random = random;
      device.streams().create();
      boolean isExpandable =
          random.nextBoolean()
              && program != Program.CACHING_PIECES
              && program != Program.CACHING_OTHER_STREAM
              && program != Program.CACHING_PRIVATE_POOL;
      double fraction = program == Program.CACHING_LIMIT ? 0.25 + random.nextDouble(0.3) : 1;
      switch (program.family) {
        case CACHING -> {
          CachingAllocator caching =
              new CachingAllocator(
                  device, CachingOptions.of(isExpandable ? "expandable_segments:True" : ""));
          if (fraction < 1) {
            caching.setMemoryFraction(fraction);
          }
          allocator = caching;
          limit =
              fraction < 1
                  ? OptionalLong.of(Math.round(fraction * DEVICE_BYTES))
                  : OptionalLong.empty();
        }
        case BFC -> {
          double share = program == Program.BFC_LIMIT ? 0.5 : 1;
          BfcOptions options = BfcOptions.jaxPreallocated(0, DEVICE_BYTES, share);
          allocator = BfcAllocator.forReplay(options, new MemorySubAllocator(device.memory()));
          limit = OptionalLong.of(options.limitBytes());
        }
        case DIRECT -> {
          allocator = new DirectAllocator(device);
          limit = OptionalLong.empty();
        }
        default -> throw new AssertionError(program);
      }
      recorder.recordHistory(HistorySettings.all());
      recorder.attach(
          allocator,
          0,
          () ->
              new AllocatorFacts(
                  program.family,
                  OptionalLong.of(DEVICE_BYTES),
                  OptionalLong.of(device.memory().freeBytes()),
                  limit,
                  true));
    }

    OomReport report() {
      try {
        runProgram();
        throw new AssertionError(program + " did not fail");
      } catch (OutOfDeviceMemoryException expected) {
        Snapshot snapshot = recorder.snapshot();
        DeviceSnapshot recorded = snapshot.devices().getFirst();
        Lifetimes lifetimes = Lifetimes.of(recorded);
        RecordedDevice memory =
            new RecordedDevice(recorded, ActiveBytes.of(recorded, lifetimes), OptionalLong.empty());
        OomEvent oom = recorded.trace().ooms().getLast();
        return OomAnalysis.of(
            snapshot,
            recorded,
            RecordedHistory.of(snapshot.stacks(), recorded),
            oom,
            memory.atFailure(oom));
      }
    }

    private void runProgram() {
      switch (program) {
        case CACHING_LIVE, DIRECT_LIVE, BFC_LIVE -> {
          long bytes = mib(200, 700);
          while (true) {
            allocator.allocate(bytes, 0);
          }
        }
        case CACHING_LEAK, BFC_LEAK, DIRECT_LEAK -> leak();
        case CACHING_SPIKE, DIRECT_SPIKE -> {
          steadySteps();
          allocator.allocate(mib(14_000, 15_500), 0);
        }
        case CACHING_PIECES, BFC_PIECES -> {
          everySecondFreed(0, program == Program.CACHING_PIECES ? 20 : 32);
          allocator.allocate(mib(3_000, 6_000), 0);
        }
        case CACHING_OTHER_STREAM -> {
          everySecondFreed(1, 20);
          allocator.allocate(mib(3_000, 6_000), 0);
        }
        case CACHING_PRIVATE_POOL -> {
          inPool(() -> freeAll(allocated(mib(900, 1_100), 10, 0)));
          allocator.allocate(mib(7_000, 9_000), 0);
        }
        case CACHING_CAPTURE -> {
          freeAll(allocated(mib(2_900, 3_100), 4, 0));
          inCapture(() -> allocator.allocate(mib(7_000, 9_000), 0));
        }
        case CACHING_PENDING -> {
          long block = allocator.allocate(mib(9_000, 11_000), 0);
          inCapture(
              () -> {
                allocator.recordStream(block, 1);
                allocator.free(block);
                allocator.allocate(mib(7_500, 9_000), 0);
              });
        }
        case CACHING_OUTSIDE, DIRECT_OUTSIDE -> {
          device.setExternalBytes(mib(7_000, 12_000));
          allocated(mib(500, 600), 4, 0);
          allocator.allocate(mib(8_500, 9_000), 0);
        }
        case CACHING_LIMIT -> {
          allocated(mib(400, 500), 6, 0);
          allocator.allocate(mib(8_000, 9_000), 0);
        }
        case CACHING_EXCEEDS -> {
          allocated(mib(100, 200), 3, 0);
          allocator.allocate(mib(17_000, 60_000), 0);
        }
        case BFC_LIMIT -> {
          allocated(mib(1_000, 1_100), 5, 0);
          allocator.allocate(mib(4_000, 7_000), 0);
        }
      }
    }

    /** Each step frees what it needs, except for one block that it keeps. */
    private void leak() {
      long[] sizes = {mib(40, 60), mib(61, 90), mib(91, 120)};
      long kept = mib(100, 300);
      allocator.allocate(mib(1_000, 3_000), 0);
      while (true) {
        List<Long> step = new ArrayList<>();
        for (long size : sizes) {
          step.add(allocator.allocate(size, 0));
        }
        allocator.allocate(kept, 0);
        freeAll(step);
      }
    }

    private void steadySteps() {
      long[] sizes = {mib(300, 400), mib(401, 500), mib(501, 600)};
      allocator.allocate(mib(3_000, 4_500), 0);
      for (int step = 0; step < 10; step++) {
        List<Long> blocks = new ArrayList<>();
        for (long size : sizes) {
          blocks.add(allocator.allocate(size, 0));
        }
        freeAll(blocks);
      }
    }

    /** Fills the device with blocks of a few hundred MiB, split from larger segments. */
    private void everySecondFreed(int stream, int segments) {
      // Segments are multiples of 2 MiB.
      long segment = DEVICE_BYTES / segments / (2 * MIB) * (2 * MIB);
      List<Long> pieces = new ArrayList<>();
      for (int i = 0; i < segments; i++) {
        if (program.family == AllocatorFamily.CACHING) {
          // A free block of this size is split by the requests that follow.
          allocator.free(allocator.allocate(segment, stream));
        }
        pieces.add(allocator.allocate(segment / 2 - 4 * MIB, stream));
        pieces.add(allocator.allocate(segment / 2 - 4 * MIB, stream));
      }
      for (int i = 0; i < pieces.size(); i += 2) {
        allocator.free(pieces.get(i));
      }
    }

    private void inPool(Runnable body) {
      CachingAllocator caching = (CachingAllocator) allocator;
      PoolId pool = new PoolId(0, 7);
      caching.memoryPools().beginAllocate(pool, _ -> true);
      body.run();
      caching.memoryPools().endAllocate(pool);
    }

    private void inCapture(Runnable body) {
      CachingAllocator caching = (CachingAllocator) allocator;
      PoolId pool = new PoolId(3, 0);
      caching.memoryPools().beginAllocate(pool, _ -> true);
      caching.memoryPools().beginCapture();
      body.run();
      caching.memoryPools().endCapture();
      caching.memoryPools().endAllocate(pool);
    }

    private List<Long> allocated(long bytes, int count, int stream) {
      List<Long> blocks = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        blocks.add(allocator.allocate(bytes, stream));
      }
      return blocks;
    }

    private void freeAll(List<Long> blocks) {
      blocks.forEach(allocator::free);
    }

    private long mib(int from, int to) {
      return random.nextInt(from, to) * MIB;
    }
  }
}
