package dev.vramscope.allocator;

/**
 * One block at one moment.
 *
 * @param handle names the block while it is allocated, {@link Allocator#NO_BLOCK} otherwise
 * @param requestedBytes what the client asked for; means nothing for an inactive block
 * @param stream the stream it was or may be allocated for
 */
public record BlockView(
    long handle, long address, long bytes, long requestedBytes, int stream, BlockState state) {
  public long endAddress() {
    return address + bytes;
  }
}
