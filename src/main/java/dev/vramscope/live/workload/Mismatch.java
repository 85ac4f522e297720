package dev.vramscope.live.workload;

/**
 * A block whose content differs from its pattern.
 *
 * @param block its handle
 * @param bytes the requested size
 * @param stream the stream that compared it
 * @param offset bytes from the start of the block to the first wrong word
 * @param words the number of wrong 64-bit words
 */
public record Mismatch(long block, long address, long bytes, int stream, long offset, long words) {}
