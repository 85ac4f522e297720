package dev.vramscope.format;

/**
 * Limits of a reader; a file that exceeds one is rejected as too large. They bound memory where a
 * file could require many times its own size; real files are far below all of them.
 *
 * @param maxBytes size of the uncompressed file
 * @param encoding limits on how the content is written
 * @param maxEvents trace events of all devices, about 37 bytes of heap each
 * @param maxBlocks blocks of all segments, about 64 bytes of heap each
 * @param maxStackNodes nodes of the stack tree, about 24 bytes of heap each
 * @param maxFrames distinct frames, about 360 bytes of heap each while a file is read
 * @param maxDevices devices that have a segment or an event
 * @param maxHeapBytes of all rows and texts together, as they are while a file is read
 * @param maxStackFrames frames of one stack; the outer frames of a longer stack are cut off and
 *     counted, unlike everything else here. Real stacks have fewer than 200
 */
public record ReadLimits(
    long maxBytes,
    Encoding encoding,
    int maxEvents,
    int maxBlocks,
    int maxStackNodes,
    int maxFrames,
    int maxDevices,
    long maxHeapBytes,
    int maxStackFrames) {

  private static final long MIB = 1L << 20;

  /**
   * Limits on nesting, texts and pickles.
   *
   * @param maxDepth nesting depth of containers; real snapshots reach 6
   * @param maxStringBytes length of a string; the longest in a real snapshot has 3,289
   * @param maxTextBytes total length of all distinct strings
   * @param maxMemo pickle memo entries, 4 bytes of heap each
   * @param maxPending values on a pickle's stack, 8 bytes of heap each
   */
  public record Encoding(
      int maxDepth, int maxStringBytes, int maxTextBytes, int maxMemo, int maxPending) {}

  /** Limits for the heap of this process. */
  public static ReadLimits defaults() {
    return forHeap(Runtime.getRuntime().maxMemory());
  }

  /** Limits that reject even a hostile file before a heap of this size is full. */
  public static ReadLimits forHeap(long heapBytes) {
    return new ReadLimits(
        16L << 30,
        new Encoding(
            16, (int) MIB, count(heapBytes, 8, 1), count(heapBytes, 5, 4), count(heapBytes, 12, 8)),
        count(heapBytes, 3, 40),
        count(heapBytes, 6, 64),
        count(heapBytes, 6, 24),
        (int) Math.min(heapBytes / 2 / 360, 1 << 29),
        128,
        heapBytes / 5 * 3,
        1_000);
  }

  /** A copy with another limit on the file size. */
  public ReadLimits withMaxBytes(long bytes) {
    return new ReadLimits(
        bytes,
        encoding,
        maxEvents,
        maxBlocks,
        maxStackNodes,
        maxFrames,
        maxDevices,
        maxHeapBytes,
        maxStackFrames);
  }

  private static int count(long heapBytes, int share, int bytesEach) {
    return (int) Math.clamp(heapBytes / share / bytesEach, MIB, 1 << 29);
  }
}
