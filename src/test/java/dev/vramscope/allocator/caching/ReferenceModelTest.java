package dev.vramscope.allocator.caching;

import static org.junit.jupiter.api.Assertions.fail;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.Workload.Step;
import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.device.sim.SimDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random operations on the allocator and on a simple model of its rules: all addresses must be
 * equal and all invariants must hold. {@code -Dvramscope.seeds=5000} runs more seeds. A failure
 * shows the seed and the shortest sequence of its operations that still fails.
 */
class ReferenceModelTest {
  private static final long DEVICE_BYTES = 512L << 20;
  private static final int SEEDS = Integer.getInteger("vramscope.seeds", 36);
  private static final int STEPS_PER_CHECK = 5;
  private static final int STEPS = 300;

  @ParameterizedTest
  @EnumSource
  void addressesEqualThoseOfTheModel(TieBreak tieBreak) {
    check(seed -> Workload.random(seed, STEPS), steps -> differenceFromModel(steps, tieBreak));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "expandable_segments:True",
        "expandable_segments:True,roundup_power2_divisions:4,max_split_size_mb:30",
        "max_split_size_mb:25,garbage_collection_threshold:0.5,per_process_memory_fraction:0.8",
        "garbage_collection_threshold:0.3,per_process_memory_fraction:0.5",
        "large_segment_size_mb:64,roundup_power2_divisions:[1:2,8:8,>:1]",
        "throw_on_cudamalloc_oom:True,per_process_memory_fraction:0.7"
      })
  void invariantsHoldUnderEverySetting(String settings) {
    check(seed -> Workload.random(seed, STEPS), steps -> brokenInvariant(steps, settings));
  }

  private interface Generator {
    List<Step> steps(long seed);
  }

  private interface Property {
    /** A description of the failure, if there is one. */
    Optional<String> failure(List<Step> steps);
  }

  private static void check(Generator generator, Property property) {
    LongStream.range(0, SEEDS)
        .forEach(
            seed -> {
              List<Step> steps = generator.steps(seed);
              if (property.failure(steps).isPresent()) {
                List<Step> shortest = shrink(steps, property);
                fail(
                    "seed "
                        + seed
                        + ": "
                        + property.failure(shortest).orElseThrow()
                        + " after "
                        + shortest.size()
                        + " steps: "
                        + shortest);
              }
            });
  }

  /** The shortest failing prefix, without the steps in it that are not needed. */
  private static List<Step> shrink(List<Step> steps, Property property) {
    int length = steps.size();
    while (property.failure(steps.subList(0, length - 1)).isPresent()) {
      length--;
    }
    List<Step> shortest = new ArrayList<>(steps.subList(0, length));
    for (int i = shortest.size() - 2; i >= 0; i--) {
      List<Step> without = new ArrayList<>(shortest);
      without.remove(/* index */ i);
      if (property.failure(without).isPresent()) {
        shortest = without;
      }
    }
    return shortest;
  }

  private static Optional<String> differenceFromModel(List<Step> steps, TieBreak tieBreak) {
    SimDevice device = SimDevice.ofBytes(DEVICE_BYTES);
    CachingAllocator allocator =
        new CachingAllocator(device, CachingOptions.of("").withTieBreak(tieBreak));
    Subject subject = new Subject(device, allocator);
    ReferenceModel model = new ReferenceModel(DEVICE_BYTES, tieBreak);
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      long actual = subject.run(step);
      long expected = run(model, step);
      if (actual != expected) {
        return Optional.of(step + " returned " + actual + ", the model " + expected);
      }
      long reserved = allocator.totals().reservedBytes();
      if (reserved != model.reservedBytes()) {
        return Optional.of(
            step + " reserves " + reserved + " bytes, the model " + model.reservedBytes());
      }
      // A check sorts the free lists; most steps must find them as the step before left them.
      Optional<String> broken =
          i % STEPS_PER_CHECK == 0 ? brokenInvariant(allocator) : Optional.empty();
      if (broken.isPresent()) {
        return broken;
      }
    }
    return brokenInvariant(allocator);
  }

  private static long run(ReferenceModel model, Step step) {
    switch (step.kind()) {
      case ALLOCATE -> {
        return model.allocate(step.id(), step.bytes(), step.stream());
      }
      case FREE -> model.free(step.id());
      case RECORD_STREAM -> model.recordStream(step.id(), step.stream());
      case SYNCHRONIZE -> model.synchronize(step.stream());
      case EMPTY_CACHE -> model.emptyCache();
      case SET_FRACTION -> model.setFraction(step.bytes() / 100.0);
    }
    return 0;
  }

  private static Optional<String> brokenInvariant(List<Step> steps, String settings) {
    SimDevice device = SimDevice.ofBytes(DEVICE_BYTES);
    CachingAllocator allocator = new CachingAllocator(device, CachingOptions.of(settings));
    Subject subject = new Subject(device, allocator);
    allocator.releaseCandidates(1);
    for (Step step : steps) {
      try {
        subject.run(step);
      } catch (RuntimeException e) {
        return Optional.of(step + " threw " + e);
      }
      Optional<String> broken = brokenInvariant(allocator);
      if (broken.isPresent()) {
        return broken;
      }
      long reserved = allocator.totals().reservedBytes();
      if (reserved != device.usedBytes()) {
        return Optional.of(
            step
                + " reserves "
                + reserved
                + " bytes, the device has "
                + device.usedBytes()
                + " allocated");
      }
    }
    return Optional.empty();
  }

  private static Optional<String> brokenInvariant(CachingAllocator allocator) {
    try {
      allocator.checkInvariants();
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** The allocator under test, with its live blocks by the number that the workload uses. */
  private record Subject(SimDevice device, CachingAllocator allocator, Map<Integer, Long> live) {
    private Subject(SimDevice device, CachingAllocator allocator) {
      this(device, allocator, new HashMap<>());
    }

    private long run(Step step) {
      switch (step.kind()) {
        case ALLOCATE -> {
          return allocate(step);
        }
        case FREE -> allocator.free(removed(step.id()));
        case RECORD_STREAM ->
            allocator.recordStream(live.getOrDefault(step.id(), 0L), step.stream());
        case SYNCHRONIZE -> device.streams().synchronize(step.stream());
        case EMPTY_CACHE -> allocator.emptyCache();
        case SET_FRACTION -> allocator.setMemoryFraction(step.bytes() / 100.0);
      }
      return 0;
    }

    private long removed(int id) {
      Long block = live.remove(id);
      return block == null ? 0 : block;
    }

    private long allocate(Step step) {
      try {
        long block = allocator.allocate(step.bytes(), step.stream());
        live.put(step.id(), block);
        return allocator.address(block) - SimDevice.MEMORY_BASE;
      } catch (OutOfDeviceMemoryException e) {
        return -1;
      }
    }
  }
}
