package dev.vramscope.format.xplane;

/**
 * An event of an allocator.
 *
 * @param nanos since 1970
 * @param isFree whether a chunk was freed
 * @param address of the chunk; 0 if the event does not have it, as those of before 2021
 * @param chunkBytes the size of the chunk
 * @param requestedBytes what the program requested of it
 * @param inUseBytes the allocator's own total of all chunks in use after the event; {@link #NONE}
 *     if the event does not have it
 * @param limitBytes the most that the allocator may use; {@link #NONE} if it is not known
 * @param stack the operation that requested it
 */
record AllocatorEvent(
    long nanos,
    boolean isFree,
    long address,
    long chunkBytes,
    long requestedBytes,
    long inUseBytes,
    long limitBytes,
    int stack) {
  /** A number that the event does not have. */
  static final long NONE = -1;
}
