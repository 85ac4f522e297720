package dev.vramscope.model.pool;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The chunks of a pool, from the addresses of its events and the allocator's rules: a region begins
 * as one free chunk; a request takes the free chunk at its address, whose rest is split off if it
 * is at least as large as the request or 128 MiB; freed neighbours are coalesced.
 */
public final class ChunkMap {
  private static final class Chunk {
    private long bytes;
    private boolean isFree = true;
    private long requestedBytes = Block.UNKNOWN;
    private int stack = StackTable.NONE;

    Chunk(long bytes) {
      this.bytes = bytes;
    }

    Chunk copy() {
      Chunk copy = new Chunk(bytes);
      copy.isFree = isFree;
      copy.requestedBytes = requestedBytes;
      copy.stack = stack;
      return copy;
    }
  }

  private final TreeMap<Long, Chunk> chunks = new TreeMap<>();
  private final TreeMap<Long, Long> regions = new TreeMap<>();
  private boolean joinsRegions;
  private long inUseBytes;
  private long outside;
  private long overlapping;

  /** An independent copy, to which other events can be applied. */
  public ChunkMap copy() {
    ChunkMap copy = new ChunkMap();
    copy.chunks.putAll(chunks);
    copy.chunks.replaceAll((_, chunk) -> chunk.copy());
    copy.regions.putAll(regions);
    copy.joinsRegions = joinsRegions;
    copy.inUseBytes = inUseBytes;
    copy.outside = outside;
    copy.overlapping = overlapping;
    return copy;
  }

  /** The number of chunks, free ones included. */
  public int chunkCount() {
    return chunks.size();
  }

  /** A region was acquired; false if it overlaps one that is held. */
  public boolean acquire(long address, long bytes) {
    Map.Entry<Long, Long> before = regions.lowerEntry(address + bytes);
    if (bytes < 1 || (before != null && before.getKey() + before.getValue() > address)) {
      return false;
    }
    regions.put(address, bytes);
    chunks.put(address, new Chunk(bytes));
    return true;
  }

  /** A region was released: its size; 0 if none begins there. */
  public long release(long address) {
    Long bytes = regions.remove(address);
    if (bytes == null) {
      return 0;
    }
    for (Chunk chunk : chunks.subMap(address, address + bytes).values()) {
      inUseBytes -= chunk.isFree ? 0 : chunk.bytes;
    }
    chunks.subMap(address, address + bytes).clear();
    return bytes;
  }

  /** Serves a request at an address. */
  public void allocate(long address, long requested, int stack) {
    long needed = ChunkRules.rounded(requested);
    Map.Entry<Long, Chunk> entry = chunks.floorEntry(address);
    if (entry == null || address >= entry.getKey() + entry.getValue().bytes) {
      outside++;
      return;
    }
    if (!entry.getValue().isFree) {
      // Its free is missing, or was taken for that of another block of its size.
      overlapping++;
      free(entry.getKey());
      entry = chunks.floorEntry(address);
    }
    Chunk chunk = entry.getValue();
    boolean isLower = entry.getKey() == address;
    if (!isLower) {
      // The rest below belongs to the other end, or aligns the request.
      Chunk rest = new Chunk(entry.getKey() + chunk.bytes - address);
      chunk.bytes = address - entry.getKey();
      chunks.put(address, rest);
      chunk = rest;
    }
    Chunk next = chunks.get(address + chunk.bytes);
    while (chunk.bytes < needed && next != null && next.isFree) {
      // Regions without a gap between them are one, where the device allows it.
      chunks.remove(address + chunk.bytes);
      chunk.bytes += next.bytes;
      joinsRegions = true;
      next = chunks.get(address + chunk.bytes);
    }
    long rest = chunk.bytes - needed;
    if (rest > 0 && (rest >= needed || rest >= ChunkRules.MAX_WASTE_BYTES || !isLower)) {
      chunk.bytes = needed;
      chunks.put(address + needed, new Chunk(rest));
    } else if (rest < 0) {
      overlapping++;
    }
    chunk.isFree = false;
    chunk.requestedBytes = requested;
    chunk.stack = stack;
    inUseBytes += chunk.bytes;
  }

  /** Frees the chunk at an address; false if none in use begins there. */
  public boolean free(long address) {
    Chunk chunk = chunks.get(address);
    if (chunk == null || chunk.isFree) {
      return false;
    }
    chunk.isFree = true;
    chunk.requestedBytes = Block.UNKNOWN;
    chunk.stack = StackTable.NONE;
    inUseBytes -= chunk.bytes;
    long end = address + chunk.bytes;
    Chunk next = chunks.get(end);
    if (next != null && next.isFree && !isBorder(end)) {
      chunks.remove(end);
      chunk.bytes += next.bytes;
    }
    Map.Entry<Long, Chunk> before = chunks.lowerEntry(address);
    if (before != null
        && before.getValue().isFree
        && before.getKey() + before.getValue().bytes == address
        && !isBorder(address)) {
      before.getValue().bytes += chunk.bytes;
      chunks.remove(address);
    }
    return true;
  }

  private boolean isBorder(long address) {
    return !joinsRegions && regions.containsKey(address);
  }

  /** The sum of the chunks in use. */
  public long inUseBytes() {
    return inUseBytes;
  }

  public long poolBytes() {
    return regions.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Requests that were served from memory that is in no region. */
  public long outside() {
    return outside;
  }

  /** Requests that were served from memory that was in use according to the events. */
  public long overlapping() {
    return overlapping;
  }

  /** The size of the chunk in use at an address; {@link Block#UNKNOWN} if there is none. */
  public long bytesInUseAt(long address) {
    Chunk chunk = chunks.get(address);
    return chunk == null || chunk.isFree ? Block.UNKNOWN : chunk.bytes;
  }

  /** Regions as segments, with their chunks. */
  public List<Segment> segments() {
    List<Segment> segments = new ArrayList<>();
    List<Block> blocks = new ArrayList<>();
    long end = 0;
    for (Map.Entry<Long, Chunk> entry : chunks.entrySet()) {
      boolean isNext = joinsRegions ? entry.getKey() != end : regions.containsKey(entry.getKey());
      if (isNext && !blocks.isEmpty()) {
        segments.add(segment(blocks));
        blocks.clear();
      }
      Chunk chunk = entry.getValue();
      blocks.add(
          new Block(
              entry.getKey(),
              chunk.bytes,
              chunk.requestedBytes,
              chunk.isFree ? BlockState.INACTIVE : BlockState.ALLOCATED,
              chunk.stack));
      end = entry.getKey() + chunk.bytes;
    }
    if (!blocks.isEmpty()) {
      segments.add(segment(blocks));
    }
    return segments;
  }

  private static Segment segment(List<Block> blocks) {
    long address = blocks.getFirst().address();
    return new Segment(
        address,
        blocks.getLast().end() - address,
        /* stream= */ 0,
        PoolKind.LARGE,
        PoolId.DEFAULT,
        /* expandable= */ false,
        StackTable.NONE,
        List.copyOf(blocks));
  }
}
