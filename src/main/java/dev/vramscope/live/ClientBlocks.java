package dev.vramscope.live;

import dev.vramscope.device.Streams;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * The blocks that REST clients hold. Clients cannot free or use the blocks of workloads. The number
 * of blocks and of streams is limited.
 */
public final class ClientBlocks {
  private final HostedAllocator owner;
  private final LiveSettings settings;
  private final Set<Long> held = ConcurrentHashMap.newKeySet();
  private final Semaphore permits;
  private int lastStream;

  ClientBlocks(HostedAllocator owner, LiveSettings settings) {
    this.owner = owner;
    this.settings = settings;
    permits = new Semaphore(settings.maxBlocks());
  }

  /**
   * Allocates a block.
   *
   * @param scope the purpose of the block, recorded as its context in the history
   * @return the handle of the block
   * @throws dev.vramscope.allocator.OutOfDeviceMemoryException if the allocator is out of memory
   * @throws HostingRefusedException if clients hold too many blocks, or the stream is out of range
   * @throws AllocatorGoneException if the allocator is closed or lost
   */
  public long allocate(long bytes, int stream, String scope) {
    requireStream(stream);
    if (!permits.tryAcquire()) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.LIMIT,
          "Clients of this allocator already hold " + settings.maxBlocks() + " blocks",
          "vramscope.live.max-blocks",
          "Free some, or start the server with a larger limit.");
    }
    boolean allocated = false;
    try (var _ = owner.recorder().scope(scope)) {
      long block = owner.allocator().allocate(bytes, stream);
      allocated = true;
      held.add(block);
      return block;
    } finally {
      if (!allocated) {
        permits.release();
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
    permits.release();
    owner.allocator().free(block);
  }

  /**
   * Records that another stream uses a block.
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

  /** The device address of a block. */
  public long address(long block) {
    return owner.allocator().address(block);
  }

  /** The number of blocks that clients hold. */
  public int count() {
    return held.size();
  }

  /** Creates the streams of the device up to this one. */
  private synchronized void requireStream(int stream) {
    if (stream < Streams.DEFAULT || stream >= settings.maxStreams()) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.REQUEST,
          "There is no stream " + stream,
          "stream",
          "Streams are 0 to " + (settings.maxStreams() - 1) + " (vramscope.live.max-streams).");
    }
    while (lastStream < stream) {
      owner.runGuarded(() -> lastStream = Math.max(lastStream, owner.device().streams().create()));
    }
  }
}
