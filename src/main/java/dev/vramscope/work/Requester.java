package dev.vramscope.work;

import java.util.function.BooleanSupplier;

/**
 * Who asks for a task.
 *
 * @param client the name under which shares are counted, such as a network address
 * @param hasLeft whether nobody waits for the result any more; asked a few times a second, by the
 *     thread that called {@link HeavyWork#run}
 */
public record Requester(String client, BooleanSupplier hasLeft) {
  /** A requester that always waits for the result. */
  public static Requester waiting(String client) {
    return new Requester(client, () -> false);
  }
}
