package dev.vramscope.whatif;

/**
 * A block, live before the first event of a recording, whose end is not certain.
 *
 * @param address its first byte
 * @param end its least end, which is assumed; free memory follows
 * @param limit its greatest end
 */
record UncertainEnd(long address, long end, long limit) {}
