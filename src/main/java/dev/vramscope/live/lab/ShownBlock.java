package dev.vramscope.live.lab;

import dev.vramscope.model.BlockState;
import java.util.List;

/**
 * A block of a segment.
 *
 * @param offset from the start of the segment
 * @param id the number that the script gave it; -1 for a block that is not in use
 * @param requestedBytes 0 for a block that is not in use
 * @param awaited the streams that a freed block waits for
 */
public record ShownBlock(
    long offset,
    long bytes,
    BlockState state,
    long id,
    long requestedBytes,
    int stream,
    List<Integer> awaited) {
  /** The number of a block that is not in use. */
  public static final long NO_ID = -1;

  public ShownBlock {
    awaited = List.copyOf(awaited);
  }
}
