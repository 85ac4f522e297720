package dev.vramscope.allocator.bfc;

import static org.junit.jupiter.api.Assertions.fail;

import dev.vramscope.allocator.bfc.AllocationAttributes.OnFailure;
import dev.vramscope.device.sim.SimSubAllocator;
import dev.vramscope.device.sim.SubAllocatorSettings;
import dev.vramscope.device.sim.SubAllocatorSettings.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random operations have the same effect on the allocator and on a simple model of it. */
class ReferenceModelTest {
  /** More seeds for a long run: {@code -Dvramscope.seeds=5000}. */
  private static final int SEEDS = Integer.getInteger("vramscope.seeds", 60);

  private static final int STEPS = 300;
  private static final long LIMIT_BYTES = 24 << 20;

  /**
   * One step. Every step is valid after any other, so that shrinking can drop steps.
   *
   * @param bytes size to allocate; 0 to free; negative to set the device's capacity to the absolute
   *     value
   * @param choice selects the live allocation to free
   */
  private record Step(long bytes, long alignment, AllocationEnd end, boolean retry, int choice) {}

  private record Setup(BfcOptions options, SubAllocatorSettings device) {}

  @Test
  void allocatorMatchesTheReferenceModel() {
    for (long seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Setup setup = setup(random);
      List<Step> steps = steps(random, setup.options.partitioned());
      String difference = firstDifference(setup, steps);
      if (difference != null) {
        List<Step> shortest = shrink(setup, steps);
        fail(
            "seed %d, %s: %s%nshortened sequence of steps that differs: %s%n%s"
                .formatted(seed, setup, difference, shortest, firstDifference(setup, shortest)));
      }
    }
  }

  private static Setup setup(SplittableRandom random) {
    boolean growing = random.nextBoolean();
    BfcOptions options =
        BfcOptions.of("model", LIMIT_BYTES)
            .withGrowing(growing)
            .withReleasesFreeRegions(random.nextBoolean())
            .withFragmentationFraction(random.nextInt(3) == 0 ? 0.001 : 0)
            .withPartitioned(!growing && random.nextBoolean());
    Placement[] placements = Placement.values();
    SubAllocatorSettings device =
        new SubAllocatorSettings(
            1L << 40,
            LIMIT_BYTES + (random.nextInt(5) - 2L) * (4 << 20),
            1,
            256,
            random.nextInt(2) * 4096L,
            random.nextInt(4) == 0 ? 5 << 20 : 0,
            !options.partitioned() && random.nextBoolean(),
            random.nextBoolean(),
            placements[random.nextInt(placements.length)],
            Set.of(2L, 5L));
    return new Setup(options, device);
  }

  private static List<Step> steps(SplittableRandom random, boolean partitioned) {
    List<Step> steps = new ArrayList<>();
    int frees = 2 + random.nextInt(5);
    for (int i = 0; i < STEPS; i++) {
      long bytes =
          switch (random.nextInt(10)) {
            case 0 -> -LIMIT_BYTES + random.nextLong(-8 << 20, 8 << 20);
            case 1 -> 1 + random.nextLong(12 << 20);
            default ->
                random.nextInt(10) < frees
                    ? 0
                    : 1 + random.nextLong(1L << (8 + random.nextInt(14)));
          };
      steps.add(
          new Step(
              bytes,
              random.nextInt(4) == 0 ? 1L << random.nextInt(17) : 64,
              partitioned && random.nextInt(3) == 0 ? AllocationEnd.UPPER : AllocationEnd.LOWER,
              random.nextBoolean(),
              random.nextInt(1 << 16)));
    }
    return steps;
  }

  /** Drops steps as long as a difference remains; not always the shortest such sequence. */
  private static List<Step> shrink(Setup setup, List<Step> steps) {
    List<Step> shortest = new ArrayList<>(steps);
    for (int length = shortest.size() / 2; length > 0; length /= 2) {
      for (int from = 0; from + length <= shortest.size(); ) {
        List<Step> shorter = new ArrayList<>(shortest);
        shorter.subList(from, from + length).clear();
        if (firstDifference(setup, shorter) != null) {
          shortest = shorter;
        } else {
          from += length;
        }
      }
    }
    return shortest;
  }

  private static @Nullable String firstDifference(Setup setup, List<Step> steps) {
    SimSubAllocator device = new SimSubAllocator(setup.device);
    SimSubAllocator modelDevice = new SimSubAllocator(setup.device);
    BfcAllocator allocator = BfcAllocator.forReplay(setup.options, device);
    allocator.releaseCandidates(1);
    ReferenceModel model = new ReferenceModel(setup.options, modelDevice);
    List<Long> blocks = new ArrayList<>();
    List<ReferenceModel.ModelChunk> modelChunks = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      try {
        if (step.bytes < 0) {
          device.setCapacityBytes(-step.bytes);
          modelDevice.setCapacityBytes(-step.bytes);
        } else if (step.bytes > 0) {
          OnFailure onFailure = step.retry ? OnFailure.RETRY : OnFailure.FAIL_FAST;
          long block =
              allocator.tryAllocate(
                  step.bytes, step.alignment, 0, new AllocationAttributes(step.end, onFailure, 0));
          ReferenceModel.ModelChunk modelChunk =
              model.allocate(step.bytes, step.alignment, step.end, step.retry);
          long expected = modelChunk == null ? 0 : modelChunk.address;
          if (allocator.address(block) != expected) {
            return "step %d, %s: expected %x, got %x"
                .formatted(i, step, expected, allocator.address(block));
          }
          if (modelChunk != null) {
            blocks.add(block);
            modelChunks.add(modelChunk);
          }
        } else if (!blocks.isEmpty()) {
          int which = step.choice % blocks.size();
          allocator.free(blocks.remove(which));
          model.free(modelChunks.remove(which));
        }
        allocator.checkInvariants();
      } catch (IllegalStateException e) {
        return "step " + i + ", " + step + ": " + e.getMessage();
      }
      if (!chunks(allocator).equals(model.chunks())) {
        return "step %d, %s:%nexpected %s%n     got %s"
            .formatted(i, step, model.chunks(), chunks(allocator));
      }
    }
    return null;
  }

  private static String chunks(BfcAllocator allocator) {
    List<List<ReferenceModel.ModelChunk>> regions = new ArrayList<>();
    for (BfcState.RegionState region : allocator.state().regions()) {
      List<ReferenceModel.ModelChunk> modelChunks = new ArrayList<>();
      for (BfcState.ChunkState chunk : region.chunks()) {
        ReferenceModel.ModelChunk modelChunk =
            new ReferenceModel.ModelChunk(chunk.address(), chunk.bytes(), chunk.tag());
        modelChunk.allocated = chunk.isAllocated();
        modelChunks.add(modelChunk);
      }
      regions.add(modelChunks);
    }
    return regions.toString();
  }
}
