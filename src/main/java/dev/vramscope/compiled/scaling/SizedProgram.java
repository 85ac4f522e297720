package dev.vramscope.compiled.scaling;

import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.MemoryUses;
import dev.vramscope.compiled.ProgramAllocation;
import java.util.List;

/**
 * A compiled program with the value of the parameter that it was compiled for.
 *
 * @param name for messages
 * @param value such as the batch; from 1 to {@link #MOST_VALUE}
 */
public record SizedProgram(String name, long value, CompiledProgram program) {
  /** More than any batch or length. */
  public static final long MOST_VALUE = 1_000_000_000;

  /** The memory space of the device. */
  private static final int DEVICE = 0;

  public SizedProgram {
    if (value < 1 || value > MOST_VALUE) {
      throw new IllegalArgumentException(value + " is not from 1 to " + MOST_VALUE);
    }
  }

  /** Whether {@code memory_analysis()} states what adds up to the memory of the program. */
  boolean hasSums() {
    return program.statistics().isPresent() && program.statistics().get().totalBytes().isPresent();
  }

  /** Whether each buffer has a size, a place and a live range. */
  boolean hasLiveBuffers() {
    return program.hasAssignment() && program.liveRanges().isPresent();
  }

  /** The allocations of the device's memory. */
  List<ProgramAllocation> allocations() {
    return program.allocations().stream().filter(each -> each.memorySpace() == DEVICE).toList();
  }

  /**
   * Bytes of the device's memory for a use.
   *
   * @param isOfSums whether those of {@code memory_analysis()} are asked, not of the assignment
   */
  long bytes(AllocationUse use, boolean isOfSums) {
    MemoryUses uses =
        isOfSums
            ? MemoryUses.ofStatistics(program.statistics().orElseThrow())
            : MemoryUses.of(program);
    return uses.rows().stream()
        .filter(row -> row.use() == use && row.memorySpace() == DEVICE)
        .mapToLong(MemoryUses.Row::bytes)
        .sum();
  }
}
