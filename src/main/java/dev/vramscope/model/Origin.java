package dev.vramscope.model;

/**
 * Where a snapshot comes from.
 *
 * @param format the file's format, as found in its bytes, such as {@code PyTorch snapshot (pickle
 *     protocol 4)}
 * @param producer the program that wrote it, as far as the file tells, such as {@code PyTorch 2.10
 *     or 2.11}
 * @param captureMicros when, in microseconds since 1970, or {@link Trace#NO_TIME}
 */
public record Origin(String format, String producer, long captureMicros) {}
