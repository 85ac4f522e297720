package dev.vramscope.live.lab;

import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.model.BlockState;
import java.util.ArrayList;
import java.util.List;

/** Memory that a running kernel uses and that belongs to a block of another stream by now. */
final class Hazards {
  /** The most that are described after a step. */
  private static final int MAX_DESCRIBED = 5;

  private Hazards() {}

  static List<Reason> of(LabAllocator side, List<SegmentView> segments) {
    List<Reason> hazards = new ArrayList<>();
    for (Kernel kernel : side.kernels().all()) {
      for (SegmentView segment : segments) {
        if (!isIn(segment, kernel)) {
          continue;
        }
        for (BlockView block : segment.blocks()) {
          if (hazards.size() < MAX_DESCRIBED && isHazard(side, kernel, block)) {
            hazards.add(
                new Reason(
                    Reason.Kind.HAZARD,
                    "The kernel on stream "
                        + kernel.stream()
                        + " still uses the memory of block "
                        + kernel.id()
                        + ", which now belongs to block "
                        + side.idAt(block.address())
                        + " on stream "
                        + block.stream()
                        + ": nothing orders the two, so it may read what the other writes."));
          }
        }
      }
    }
    return hazards;
  }

  private static boolean isIn(SegmentView segment, Kernel kernel) {
    return segment.address() < kernel.address() + kernel.bytes()
        && kernel.address() < segment.address() + segment.bytes();
  }

  /** Work of the kernel's own stream is ordered behind it. */
  private static boolean isHazard(LabAllocator side, Kernel kernel, BlockView block) {
    return block.state() == BlockState.ALLOCATED
        && block.address() < kernel.address() + kernel.bytes()
        && kernel.address() < block.endAddress()
        && side.idAt(block.address()) != kernel.id()
        && block.stream() != kernel.stream();
  }
}
