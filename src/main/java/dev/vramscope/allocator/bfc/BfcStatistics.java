package dev.vramscope.allocator.bfc;

import java.util.OptionalDouble;

/**
 * The original's {@code AllocatorStats}, and what can be asked besides. Reserved bytes are always 0
 * there, the reservable limit is never set, and the allocated peak is never filled in.
 *
 * @param allocationCount successful requests since the start or the last clearing
 * @param bytesInUse sizes of the allocated chunks
 * @param largestAllocationBytes largest chunk handed out since the last clearing
 * @param largestFreeBytes largest free chunk, the central gap included
 * @param poolBytes held from the device
 * @param regionCount how many regions the pool has
 * @param nextRegionBytes what the next region is to have; unsigned
 * @param maxInternalFragmentationBytes from this size on the rest of a chunk is split off
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
  /** The share of the free bytes that lies outside the largest free chunk; none if none is free. */
  public OptionalDouble fragmentation() {
    long freeBytes = poolBytes - bytesInUse;
    return freeBytes == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) (freeBytes - largestFreeBytes) / freeBytes);
  }

  /** The original's text, byte for byte; {@code PeakAllocated:} stands four further right there. */
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
