package dev.vramscope.live.lab;

/**
 * Work on a stream that uses a block.
 *
 * @param number from 1, in the order of their launches
 * @param id of the block
 * @param address of the block when the kernel was launched
 * @param eventsBefore events recorded on the stream before the launch; they complete without it
 */
public record Kernel(
    long number, int stream, long id, long address, long bytes, long eventsBefore) {}
