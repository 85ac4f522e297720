package dev.vramscope.allocator;

import dev.vramscope.model.BlockState;
import java.util.List;

/**
 * One block at one moment.
 *
 * @param handle names the block while it is allocated, {@link Allocator#NO_BLOCK} otherwise
 * @param requestedBytes what the client asked for; means nothing for an inactive block
 * @param stream the stream it was or may be allocated for
 * @param awaited the streams that a pending block waits for, as far as they have begun to be waited
 *     for
 */
public record BlockView(
    long handle,
    long address,
    long bytes,
    long requestedBytes,
    int stream,
    BlockState state,
    List<Integer> awaited) {
  public BlockView {
    awaited = List.copyOf(awaited);
  }

  /** A block that waits for no stream. */
  public BlockView(
      long handle, long address, long bytes, long requestedBytes, int stream, BlockState state) {
    this(handle, address, bytes, requestedBytes, stream, state, List.of());
  }

  public long endAddress() {
    return address + bytes;
  }
}
