package dev.vramscope.format;

/**
 * How much a reader takes from one file before it refuses it as too large. The limits bound memory
 * where a file could ask for many times its own size; a real file stays far below all of them.
 *
 * @param maxBytes uncompressed bytes of the file
 * @param maxDepth containers inside each other; real snapshots reach 6
 * @param maxStringBytes one string; the longest real one has 3,289
 * @param maxTextBytes all distinct strings together
 * @param maxMemo pickle memo entries, 4 bytes of heap each
 * @param maxPending values waiting on a pickle's stack, 8 bytes of heap each
 * @param maxEvents trace events of all devices, about 37 bytes of heap each
 * @param maxBlocks blocks of all segments, about 64 bytes of heap each
 * @param maxStackNodes nodes of the stack tree, about 24 bytes of heap each
 * @param maxDevices devices that have a segment or an event
 */
public record ReadLimits(
    long maxBytes,
    int maxDepth,
    int maxStringBytes,
    int maxTextBytes,
    int maxMemo,
    int maxPending,
    int maxEvents,
    int maxBlocks,
    int maxStackNodes,
    int maxDevices) {

  private static final long MIB = 1L << 20;

  /** Limits that fit this process's heap. */
  public static ReadLimits defaults() {
    return forHeap(Runtime.getRuntime().maxMemory());
  }

  /** Limits with which even a hostile file is refused before a heap of that size is full. */
  public static ReadLimits forHeap(long heapBytes) {
    return new ReadLimits(
        16L << 30,
        16,
        (int) MIB,
        count(heapBytes, 8, 1),
        count(heapBytes, 5, 4),
        count(heapBytes, 12, 8),
        count(heapBytes, 3, 40),
        count(heapBytes, 6, 64),
        count(heapBytes, 6, 24),
        128);
  }

  /** The same limits with another one on the file's size. */
  public ReadLimits withMaxBytes(long bytes) {
    return new ReadLimits(
        bytes,
        maxDepth,
        maxStringBytes,
        maxTextBytes,
        maxMemo,
        maxPending,
        maxEvents,
        maxBlocks,
        maxStackNodes,
        maxDevices);
  }

  private static int count(long heapBytes, int share, int bytesEach) {
    return (int) Math.clamp(heapBytes / share / bytesEach, MIB, 1 << 29);
  }
}
