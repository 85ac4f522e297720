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

/** Random operations do to the allocator what they do to the plain model. */
class ReferenceModelTest {
  /** Thousands at night: {@code -Dvramscope.seeds=5000}. */
  private static final int SEEDS = Integer.getInteger("vramscope.seeds", 60);

  private static final int STEPS = 300;
  private static final long LIMIT_BYTES = 24 << 20;

  /**
   * One step. A step has a meaning whatever came before, so that steps can be left out.
   *
   * @param bytes what to allocate; 0 to free, negative to change the device's capacity to that
   * @param choice which live allocation to free
   */
  private record Step(long bytes, long alignment, AllocationEnd end, boolean retry, int choice) {}

  private record Setup(BfcOptions options, SubAllocatorSettings device) {}

  @Test
  void theAllocatorDoesWhatThePlainModelDoes() {
    for (long seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Setup setup = setup(random);
      List<Step> steps = steps(random, setup.options.partitioned());
      String difference = firstDifference(setup, steps);
      if (difference != null) {
        List<Step> fewest = shrink(setup, steps);
        fail(
            "seed %d, %s: %s%nthe fewest steps that differ: %s%n%s"
                .formatted(seed, setup, difference, fewest, firstDifference(setup, fewest)));
      }
    }
  }

  private static Setup setup(SplittableRandom random) {
    boolean growing = random.nextBoolean();
    BfcOptions options =
        new BfcOptions(
            "model",
            LIMIT_BYTES,
            growing,
            random.nextBoolean(),
            true,
            random.nextInt(3) == 0 ? 0.001 : 0,
            !growing && random.nextBoolean());
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

  /** Leaves out whatever is not needed for a difference. */
  private static List<Step> shrink(Setup setup, List<Step> steps) {
    List<Step> fewest = new ArrayList<>(steps);
    for (int length = fewest.size() / 2; length > 0; length /= 2) {
      for (int from = 0; from + length <= fewest.size(); ) {
        List<Step> fewer = new ArrayList<>(fewest);
        fewer.subList(from, from + length).clear();
        if (firstDifference(setup, fewer) != null) {
          fewest = fewer;
        } else {
          from += length;
        }
      }
    }
    return fewest;
  }

  private static @Nullable String firstDifference(Setup setup, List<Step> steps) {
    SimSubAllocator device = new SimSubAllocator(setup.device);
    SimSubAllocator modelDevice = new SimSubAllocator(setup.device);
    BfcAllocator allocator = BfcAllocator.forReplay(setup.options, device);
    allocator.releaseCandidates(1);
    ReferenceModel model = new ReferenceModel(setup.options, modelDevice);
    List<Long> blocks = new ArrayList<>();
    List<ReferenceModel.Piece> pieces = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      try {
        if (step.bytes < 0) {
          device.setCapacityBytes(-step.bytes);
          modelDevice.setCapacityBytes(-step.bytes);
        } else if (step.bytes > 0) {
          OnFailure onFailure = step.retry ? OnFailure.RETRY : OnFailure.TOLERATE;
          long block =
              allocator.tryAllocate(
                  step.bytes, step.alignment, 0, new AllocationAttributes(step.end, onFailure, 0));
          ReferenceModel.Piece piece = model.allocate(step.bytes, step.alignment, step.end, step.retry);
          long expected = piece == null ? 0 : piece.address;
          if (allocator.address(block) != expected) {
            return "step %d, %s: expected %x, got %x"
                .formatted(i, step, expected, allocator.address(block));
          }
          if (piece != null) {
            blocks.add(block);
            pieces.add(piece);
          }
        } else if (!blocks.isEmpty()) {
          int which = step.choice % blocks.size();
          allocator.free(blocks.remove(which));
          model.free(pieces.remove(which));
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
    List<List<ReferenceModel.Piece>> regions = new ArrayList<>();
    for (BfcState.RegionState region : allocator.state().regions()) {
      List<ReferenceModel.Piece> pieces = new ArrayList<>();
      for (BfcState.ChunkState chunk : region.chunks()) {
        ReferenceModel.Piece piece = new ReferenceModel.Piece(chunk.address(), chunk.bytes(), chunk.tag());
        piece.allocated = chunk.isAllocated();
        pieces.add(piece);
      }
      regions.add(pieces);
    }
    return regions.toString();
  }
}
