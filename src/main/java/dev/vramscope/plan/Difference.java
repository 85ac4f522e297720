package dev.vramscope.plan;

/**
 * A place where two recordings of a program differ: operations of each that the other does not
 * have.
 *
 * @param first the first operation in one recording
 * @param count operations there; may be 0
 * @param otherFirst the first operation in the other recording
 * @param otherCount operations there; may be 0
 */
record Difference(int first, int count, int otherFirst, int otherCount) {}
