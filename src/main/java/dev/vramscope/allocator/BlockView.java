package dev.vramscope.allocator;

import dev.vramscope.model.BlockState;
import java.util.List;

/**
 * The state of one block at one moment.
 *
 * @param handle the handle of an allocated block, otherwise {@link Allocator#NO_BLOCK}
 * @param requestedBytes the requested size; undefined for an inactive block
 * @param stream the stream it was or may be allocated for
 * @param awaited the streams that a pending free waits for and whose event is already recorded
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

  /** A block that does not wait for a stream. */
  public BlockView(
      long handle, long address, long bytes, long requestedBytes, int stream, BlockState state) {
    this(handle, address, bytes, requestedBytes, stream, state, List.of());
  }

  public long endAddress() {
    return address + bytes;
  }
}
