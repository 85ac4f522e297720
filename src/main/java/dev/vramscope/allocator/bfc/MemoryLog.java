package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.bfc.log.HumanBytes;
import dev.vramscope.allocator.bfc.log.LogEntry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes XLA's log of a failed request, byte for byte. */
final class MemoryLog {
  private final String name;
  private final boolean growing;
  private final ChunkTable chunks;
  private final Regions regions;
  private final FreeChunks free;
  private final Extension extension;
  private final TimedFrees timedFrees;
  private final ChunkScopes scopes;
  private final List<LogEntry> log;

  MemoryLog(BfcOptions options, Pool pool, List<LogEntry> log) {
    this.name = options.name();
    this.growing = options.growing();
    this.chunks = pool.chunks;
    this.regions = pool.regions;
    this.free = pool.free;
    this.extension = pool.extension;
    this.timedFrees = pool.timedFrees;
    this.scopes = pool.scopes;
    this.log = log;
  }

  /** Logs a request whose last attempt failed. */
  void outOfMemory(
      long requestedBytes,
      long rounded,
      AllocationEnd end,
      String operation,
      BfcStatistics statistics) {
    warning(
        "Allocator ("
            + name
            + ") ran out of memory trying to allocate "
            + HumanBytes.text(requestedBytes)
            + " (rounded to "
            + Long.toUnsignedString(rounded)
            + ") from the "
            + end.text()
            + " end requested by op "
            + operation
            + "\nIf this is caused by memory fragmentation, the environment variable"
            + " 'TF_GPU_ALLOCATOR=cuda_malloc_async' may improve the situation.\n"
            + "Current allocation summary follows.");
    dump(rounded, end, statistics);
    warning(OccupancyBar.of(chunks, regions));
  }

  /** Logs a failed request that does not retry. */
  void failedWithoutRetry(long requestedBytes, AllocationAttributes attributes) {
    warning(
        "Allocator ("
            + name
            + ") ran out of memory trying to allocate "
            + HumanBytes.text(requestedBytes)
            + " from the "
            + attributes.end().text()
            + " end with freed_by_count="
            + attributes.freedByCount()
            + "."
            + (attributes.failsFast()
                ? " The caller indicates that this is not a failure, but this may mean that there"
                    + " could be performance gains if more memory were available."
                : ""));
  }

  /** Logs the state of the allocator, with the bin that serves requests of this size. */
  void dump(long bytes, AllocationEnd end, BfcStatistics statistics) {
    info("BFCAllocator dump for " + name);
    for (BinTotals totals : BinTotals.of(chunks, regions)) {
      bin(totals);
    }
    int bin = Bins.of(bytes);
    info(
        "Bin for "
            + HumanBytes.text(bytes)
            + " was "
            + HumanBytes.text(Bins.smallestBytes(bin))
            + ", Chunk State: ");
    for (int slot : free.bins().slots(bin)) {
      info(chunkWithNeighbours(slot));
    }
    for (Region region : regions) {
      info("Next region of size " + region.bytes());
      for (int slot = region.firstChunk; slot != ChunkTable.NONE; slot = chunks.next(slot)) {
        info(chunkInRegion(slot));
      }
    }
    chunksInUseBySize();
    summary(bytes, end, statistics);
    growthHint();
    info("Stats: \n" + statistics.text());
  }

  private void bin(BinTotals totals) {
    info(
        "Bin ("
            + totals.smallestBytes()
            + "): \tTotal Chunks: "
            + totals.chunks()
            + ", Chunks in use: "
            + totals.chunksInUse()
            + ". "
            + HumanBytes.text(totals.bytes())
            + " allocated for chunks. "
            + HumanBytes.text(totals.bytesInUse())
            + " in use in bin. "
            + HumanBytes.text(totals.requestedBytesInUse())
            + " client-requested in use in bin.");
  }

  private String chunkWithNeighbours(int slot) {
    String text = chunk(slot);
    if (chunks.previous(slot) != ChunkTable.NONE) {
      text += ", prev: " + chunk(chunks.previous(slot));
    }
    if (chunks.next(slot) != ChunkTable.NONE) {
      text += ", next: " + chunk(chunks.next(slot));
    }
    return text;
  }

  private String chunk(int slot) {
    return "  Size: "
        + HumanBytes.text(chunks.bytes(slot))
        + " | Requested Size: "
        + HumanBytes.text(chunks.requestedBytes(slot))
        + " | in_use: "
        + (chunks.isAllocated(slot) ? 1 : 0)
        + " | bin_num: "
        + chunks.bin(slot);
  }

  private String chunkInRegion(int slot) {
    StringBuilder text = new StringBuilder();
    text.append(chunks.isAllocated(slot) ? "InUse at " : "Free  at ")
        .append(Long.toHexString(chunks.address(slot)))
        .append(" of size ")
        .append(chunks.bytes(slot))
        .append(" tag ")
        .append(Tag.of(chunks.tag(slot)).text());
    String separator = " allocation_annotation ";
    for (Scope scope : scopes.get(slot)) {
      text.append(separator).append(scope.text());
      separator = " / ";
    }
    // XLA prints the missing next chunk, -1, unsigned.
    text.append(" next ").append(Long.toUnsignedString(chunks.next(slot)));
    if (timedFrees.hasCounter()) {
      text.append(" freed_at_count ").append(chunks.freedAt(slot));
    }
    return text.toString();
  }

  private void chunksInUseBySize() {
    Map<Long, Long> countBySize = new TreeMap<>();
    long total = 0;
    for (Region region : regions) {
      for (int slot = region.firstChunk; slot != ChunkTable.NONE; slot = chunks.next(slot)) {
        if (chunks.isAllocated(slot)) {
          countBySize.merge(chunks.bytes(slot), 1L, Long::sum);
          total += chunks.bytes(slot);
        }
      }
    }
    info("     Summary of in-use Chunks by size: ");
    countBySize.forEach(
        (bytes, count) ->
            info(
                count
                    + " Chunks of size "
                    + bytes
                    + " totalling "
                    + HumanBytes.text(bytes * count)));
    info("Sum Total of in-use chunks: " + HumanBytes.text(total));
  }

  private void summary(long bytes, AllocationEnd end, BfcStatistics statistics) {
    Bins bins = free.bins();
    long gapBytes = free.largestGapBytes();
    long sameEndBytes = bins.largestBytes(end.tagNumber());
    info(
        "Allocator memory summary: rounded request "
            + HumanBytes.unsignedText(bytes)
            + ", total free in pool "
            + HumanBytes.text(statistics.poolBytes() - statistics.bytesInUse())
            + ", largest free chunk usable by "
            + end.text()
            + " end "
            + HumanBytes.text(Math.max(sameEndBytes, gapBytes))
            + ", unallocated bytes "
            + HumanBytes.text(extension.unallocatedBytes())
            + ", pool size "
            + HumanBytes.text(statistics.poolBytes())
            + ", pool limit "
            + HumanBytes.text(statistics.limitBytes()));
    if (gapBytes > 0) {
      info(
          "Spatial partitioning summary for "
              + end.text()
              + " end: central gap "
              + HumanBytes.text(gapBytes)
              + ", largest same-end binned free chunk "
              + HumanBytes.text(sameEndBytes)
              + ", largest binned free chunk from any end "
              + HumanBytes.text(bins.largestBytes())
              + ". The central gap is shared by lower/upper allocations and is not inserted into a"
              + " bin.");
    }
  }

  private void growthHint() {
    info(
        "Allocator region growth hint: next region allocation target "
            + HumanBytes.unsignedText(extension.targetBytes())
            + (growing
                ? " (growth enabled)."
                : " (growth disabled; fixed-size pool; not an attempted allocation)."));
  }

  private void info(String text) {
    log.add(LogEntry.info(text));
  }

  private void warning(String text) {
    log.add(LogEntry.warning(text));
  }
}
