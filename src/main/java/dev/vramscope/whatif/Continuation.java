package dev.vramscope.whatif;

import java.util.function.IntUnaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * What a program would have done after a request that failed, had it been served: what it did in an
 * earlier step after the same request.
 *
 * @param failure the event of the request
 * @param from the first event of the earlier step after that request
 * @param to after the last event of that step
 * @param counterpart gives for the event of an earlier allocation that of the allocation which has
 *     its place now, or {@link #NONE}
 * @param bytes gives for the size of an earlier request that of the same request now
 */
public record Continuation(
    int failure, int from, int to, IntUnaryOperator counterpart, LongUnaryOperator bytes) {
  /** Instead of an event. */
  public static final int NONE = -1;
}
