package dev.vramscope.live;

import dev.vramscope.device.Streams;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * The blocks that remote clients hold. Clients can free and use these only, never a workload's; and
 * only so many, on so many streams.
 */
public final class ClientBlocks {
  private final HostedAllocator owner;
  private final LiveSettings settings;
  private final Set<Long> held = ConcurrentHashMap.newKeySet();
  private final Semaphore places;
  private int lastStream;

  ClientBlocks(HostedAllocator owner, LiveSettings settings) {
    this.owner = owner;
    this.settings = settings;
    places = new Semaphore(settings.maxBlocks());
  }

  /**
   * Allocates a block.
   *
   * @param scope what it is for: its context in the history
   * @return its handle
   * @throws dev.vramscope.allocator.OutOfDeviceMemoryException if there is no place for it
   * @throws HostingRefusedException if clients hold too many blocks, or name too high a stream
   * @throws AllocatorGoneException if the allocator was closed or lost
   */
  public long allocate(long bytes, int stream, String scope) {
    requireStream(stream);
    if (!places.tryAcquire()) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.LIMIT,
          "Clients of this allocator hold " + settings.maxBlocks() + " blocks already",
          "vramscope.live.max-blocks",
          "Free some, or start the server with a larger bound.");
    }
    boolean allocated = false;
    try (var _ = owner.recorder().scope(scope)) {
      long block = owner.allocator().allocate(bytes, stream);
      allocated = true;
      held.add(block);
      return block;
    } finally {
      if (!allocated) {
        places.release();
      }
    }
  }

  /**
   * Frees a block.
   *
   * @throws UnknownBlockException if no client holds it
   */
  public void free(long block) {
    if (!held.remove(block)) {
      throw new UnknownBlockException(block);
    }
    places.release();
    owner.allocator().free(block);
  }

  /**
   * Says that a further stream uses a block.
   *
   * @throws UnknownBlockException if no client holds it
   */
  public void recordStream(long block, int stream) {
    requireStream(stream);
    if (!held.contains(block)) {
      throw new UnknownBlockException(block);
    }
    owner.allocator().recordStream(block, stream);
  }

  /** Where a block lies. */
  public long address(long block) {
    return owner.allocator().address(block);
  }

  /** How many blocks clients hold. */
  public int count() {
    return held.size();
  }

  /** Makes the card's streams up to this one. */
  private synchronized void requireStream(int stream) {
    if (stream < Streams.DEFAULT || stream >= settings.maxStreams()) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.REQUEST,
          "There is no stream " + stream,
          "stream",
          "Streams are 0 to " + (settings.maxStreams() - 1) + " (vramscope.live.max-streams).");
    }
    while (lastStream < stream) {
      owner.change(() -> lastStream = Math.max(lastStream, owner.device().streams().create()));
    }
  }
}
