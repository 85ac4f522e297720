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
import dev.vramscope.device.MemorySubAllocator;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.frees.CheapestFrees;
import dev.vramscope.postmortem.frees.FreePlan;
import dev.vramscope.postmortem.frees.Frees;
import dev.vramscope.postmortem.frees.LargestFit;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.Recorder;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The allocator itself confirms what a report says about a failed request: after the frees of a
 * plan it serves the request, after cheaper ones it does not; it serves a request of the largest
 * size that would have fitted, and no larger one.
 */
class FreesAgainstAllocatorTest {
  private static final long MIB = 1 << 20;
  private static final long DEVICE_BYTES = 512 * MIB;
  private static final int MOST_SUBSETS = 1 << 8;

  private int failures;
  private int holes;
  private int releases;
  private int subsets;
  private int exact;
  private int bounded;

  /** A failed request in a random state, which a seed reproduces. */
  private static final class Failure {
    final Allocator allocator;
    final AllocatorFamily family;
    final SimDevice device = SimDevice.ofBytes(DEVICE_BYTES);
    final List<Long> blocks;
    final OptionalLong limit;
    final long bytes;
    final int stream;
    final boolean hasFailed;
    final boolean isExpandable;
    private final Recorder recorder = new Recorder(InstantSource.system());

    Failure(AllocatorFamily family, int seed) {
      this.family = family;
      SplittableRandom random = new SplittableRandom(seed);
      switch (family) {
        case CACHING -> {
          List<String> all = FitAgainstAllocatorTest.SETTINGS;
          CachingAllocator caching =
              new CachingAllocator(device, CachingOptions.of(all.get(random.nextInt(all.size()))));
          double fraction = caching.memoryFraction();
          limit =
              fraction < 1
                  ? OptionalLong.of(Math.round(fraction * DEVICE_BYTES))
                  : OptionalLong.empty();
          allocator = caching;
        }
        case BFC -> {
          BfcOptions options =
              random.nextBoolean()
                  ? BfcOptions.jaxGrowing(0, DEVICE_BYTES, 0.75)
                  : BfcOptions.jaxPreallocated(0, DEVICE_BYTES, 0.75);
          limit = OptionalLong.of(options.limitBytes());
          allocator = BfcAllocator.forReplay(options, new MemorySubAllocator(device.memory()));
        }
        case DIRECT -> {
          limit = OptionalLong.empty();
          allocator = new DirectAllocator(device);
        }
        default -> throw new AssertionError(family);
      }
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
      var use = new FitAgainstAllocatorTest.RandomUse(allocator, device, random);
      use.run();
      blocks = use.blocks();
      bytes = FitAgainstAllocatorTest.size(random) + random.nextInt(3) * 60 * MIB;
      stream = random.nextInt(3);
      hasFailed = !serves(bytes);
      isExpandable =
          "true".equalsIgnoreCase(allocator.inspect().settings().get("expandable_segments"));
    }

    boolean serves(long requested) {
      try {
        allocator.allocate(requested, stream);
        return true;
      } catch (OutOfDeviceMemoryException full) {
        return false;
      }
    }

    Frees frees() {
      Snapshot snapshot = recorder.snapshot();
      DeviceSnapshot recorded = snapshot.devices().getFirst();
      RecordedHistory history = RecordedHistory.of(snapshot.stacks(), recorded);
      OomEvent oom = recorded.trace().ooms().getLast();
      RecordedDevice memory = new RecordedDevice(recorded, history.active(), OptionalLong.empty());
      return OomAnalysis.of(snapshot, recorded, history, oom, memory.atFailure(oom)).frees();
    }

    void free(Set<Long> addresses) {
      Set<Long> left = new HashSet<>(addresses);
      for (long block : List.copyOf(blocks)) {
        if (left.remove(allocator.address(block))) {
          allocator.free(block);
        }
      }
      assertThat(left).as("blocks to free that are not live").isEmpty();
      // A block that another stream uses becomes free when that stream has finished.
      device.streams().synchronizeAll();
    }
  }

  @Test
  void cachingAllocatorServesTheRequestAfterThePlan() {
    check(AllocatorFamily.CACHING, 2000);
    assertThat(holes).as(counts()).isGreaterThan(50);
    assertThat(releases).as(counts()).isGreaterThan(100);
    assertThat(subsets).as(counts()).isGreaterThan(100);
    assertThat(exact).as(counts()).isGreaterThan(2 * bounded);
  }

  @Test
  void bfcAllocatorServesTheRequestAfterThePlan() {
    check(AllocatorFamily.BFC, 800);
    assertThat(holes).as(counts()).isGreaterThan(100);
    assertThat(exact).as(counts()).isGreaterThan(100);
  }

  @Test
  void directAllocatorServesTheRequestAfterThePlan() {
    check(AllocatorFamily.DIRECT, 600);
    assertThat(releases).as(counts()).isGreaterThan(100);
    assertThat(subsets).as(counts()).isGreaterThan(50);
    assertThat(bounded).as(counts()).isZero();
  }

  private String counts() {
    return failures
        + " failures, "
        + holes
        + " holes, "
        + releases
        + " releases, "
        + subsets
        + " subsets of frees, "
        + exact
        + " exact largest requests, "
        + bounded
        + " bounded ones";
  }

  private void check(AllocatorFamily family, int rounds) {
    for (int seed = 1; seed <= rounds; seed++) {
      Failure failure = new Failure(family, seed);
      if (failure.hasFailed) {
        failures++;
        Frees frees = failure.frees();
        checkPlans(failure, seed, frees.cheapest());
        checkLargest(failure, seed, frees.largestFit());
      }
    }
  }

  private void checkPlans(Failure failure, int seed, CheapestFrees cheapest) {
    Set<Long> all = new HashSet<>();
    for (FreePlan plan : cheapest.plans()) {
      Set<Long> addresses = addresses(plan);
      assertThat(all).as("blocks of cheaper plans").doesNotContainAnyElementsOf(addresses);
      all.addAll(addresses);
      Failure again = new Failure(failure.family, seed);
      again.free(addresses);
      assertThat(again.serves(again.bytes))
          .as("%s %d: %d bytes after %s", failure.family, seed, again.bytes, plan)
          .isTrue();
      switch (plan) {
        case FreePlan.Hole _ -> holes++;
        case FreePlan.Release _ -> releases++;
      }
    }
    // A release counts the pages of the whole request, although a free end may need fewer.
    if (failure.blocks.size() <= 8 && cheapest.notes().isEmpty() && !failure.isExpandable) {
      checkSubsets(failure, seed, cheapest);
    }
  }

  /** No cheaper frees suffice, in the allocator itself. */
  private void checkSubsets(Failure failure, int seed, CheapestFrees cheapest) {
    long least =
        cheapest.plans().isEmpty() ? Long.MAX_VALUE : cheapest.plans().getFirst().freedBytes();
    List<Block> live = new ArrayList<>();
    failure
        .allocator
        .inspect()
        .visitSegments(
            segment ->
                segment.blocks().stream()
                    .filter(block -> failure.blocks.contains(block.handle()))
                    .forEach(
                        block ->
                            live.add(
                                new Block(block.address(), block.bytes(), 0, block.state(), 0))));
    for (int chosen = 0; chosen < Math.min(MOST_SUBSETS, 1 << live.size()); chosen++) {
      int subset = chosen;
      List<Block> freed =
          live.stream().filter(block -> (subset >>> live.indexOf(block) & 1) != 0).toList();
      long bytes = freed.stream().mapToLong(Block::bytes).sum();
      if (bytes < least) {
        subsets++;
        Failure again = new Failure(failure.family, seed);
        again.free(freed.stream().map(Block::address).collect(Collectors.toSet()));
        assertThat(again.serves(again.bytes))
            .as(
                "%s %d: %d bytes on stream %d after the frees of %s instead of %d bytes; %s",
                failure.family,
                seed,
                again.bytes,
                again.stream,
                freed,
                least,
                failure.allocator.inspect().settings())
            .isFalse();
      }
    }
  }

  private void checkLargest(Failure failure, int seed, LargestFit largest) {
    String text = failure.family + " " + seed + ": " + largest;
    if (largest.atLeastBytes() > 0) {
      assertThat(new Failure(failure.family, seed).serves(largest.atLeastBytes()))
          .as(text)
          .isTrue();
    }
    if (largest.isExact()) {
      exact++;
    } else {
      bounded++;
    }
    if (largest.atMostBytes().isPresent()) {
      long most = largest.atMostBytes().getAsLong();
      for (long more : new long[] {1, 512, MIB, 20 * MIB, 64 * MIB}) {
        assertThat(new Failure(failure.family, seed).serves(most + more))
            .as("%s: %d bytes more", text, more)
            .isFalse();
      }
    }
  }

  private static Set<Long> addresses(FreePlan plan) {
    return plan.pieces().stream()
        .flatMap(piece -> piece.blocks().stream())
        .map(Block::address)
        .collect(Collectors.toSet());
  }
}
