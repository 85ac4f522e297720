package dev.vramscope.compiled;

import java.util.List;

/**
 * Memory that the program needs from its beginning to its end.
 *
 * @param index its number in the buffer assignment
 * @param memorySpace 0 is that of the device; XLA calls it the color
 * @param parameter the number of the argument, or -1
 * @param shape of the argument, or of the output if the assignment names it; may be empty
 */
public record ProgramAllocation(
    int index,
    long bytes,
    int memorySpace,
    AllocationUse use,
    int parameter,
    String shape,
    List<ProgramBuffer> buffers) {
  public ProgramAllocation {
    buffers = List.copyOf(buffers);
  }
}
