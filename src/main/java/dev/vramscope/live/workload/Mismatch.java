package dev.vramscope.live.workload;

/**
 * A block that did not hold what it was filled with.
 *
 * @param block its handle
 * @param bytes what was asked for
 * @param stream the stream that looked
 * @param offset bytes from the block's start to the first wrong word
 * @param words how many 64-bit words were wrong
 */
public record Mismatch(long block, long address, long bytes, int stream, long offset, long words) {}
