package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.bfc.log.HumanBytes;
import java.util.OptionalDouble;

/**
 * XLA's {@code AllocatorStats}, and further figures. XLA's BFC allocator leaves its reserved bytes,
 * the reservable limit and the allocated peak at 0.
 *
 * @param allocationCount successful allocations since the start or the last reset
 * @param bytesInUse sizes of the allocated chunks
 * @param largestAllocationBytes largest chunk allocated since the last reset
 * @param largestFreeBytes largest free chunk, the central gap included
 * @param poolBytes total size of all regions
 * @param regionCount number of regions in the pool
 * @param nextRegionBytes target size of the next region; unsigned
 * @param maxInternalFragmentationBytes a remainder of at least this size is always split off
 */
public record BfcStatistics(
    long allocationCount,
    long bytesInUse,
    long peakBytesInUse,
    long largestAllocationBytes,
    long limitBytes,
    long largestFreeBytes,
    long poolBytes,
    long peakPoolBytes,
    int regionCount,
    long nextRegionBytes,
    long maxInternalFragmentationBytes) {
  /** The share of free bytes outside the largest free chunk; empty if no bytes are free. */
  public OptionalDouble fragmentation() {
    long freeBytes = poolBytes - bytesInUse;
    return freeBytes == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) (freeBytes - largestFreeBytes) / freeBytes);
  }

  /** XLA's text, byte for byte; it indents {@code PeakAllocated:} by four more columns. */
  public String text() {
    return line("Limit:", HumanBytes.text(limitBytes))
        + line("InUse:", HumanBytes.text(bytesInUse))
        + line("MaxInUse:", HumanBytes.text(peakBytesInUse))
        + line("NumAllocs:", Long.toString(allocationCount))
        + line("MaxAllocSize:", HumanBytes.text(largestAllocationBytes))
        + line("Reserved:", HumanBytes.text(0))
        + line("PeakReserved:", HumanBytes.text(0))
        + line("PeakAllocated:        ", HumanBytes.text(0))
        + line("LargestFreeBlock:", HumanBytes.text(largestFreeBytes));
  }

  private static String line(String label, String value) {
    return "%-18s%20s\n".formatted(label, value);
  }
}
