package dev.vramscope.allocator.bfc;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * XLA's {@code MemoryDump} (xla/tsl/protobuf/bfc_memory_map.proto).
 *
 * @param bins all 21 bins
 * @param chunks by address
 */
public record MemoryMap(
    String allocatorName, BfcStatistics statistics, List<BinTotals> bins, List<Chunk> chunks) {
  /**
   * One chunk.
   *
   * @param bin the chunk's bin; -1 if it is in none
   * @param freedAtCount 0 for an allocated chunk or without a timing counter
   */
  public record Chunk(
      long address, long bytes, long requestedBytes, int bin, boolean inUse, long freedAtCount) {}

  /** The result of 0.0/0.0 on x86: unlike Java's NaN, its sign bit is set. */
  private static final int X86_NAN_BITS = 0xffc00000;

  private static final int ALLOCATOR_NAME = 1;
  private static final int BIN_SUMMARY = 2;
  private static final int CHUNK = 3;
  private static final int STATS = 5;

  public MemoryMap {
    bins = List.copyOf(bins);
    chunks = List.copyOf(chunks);
  }

  /** The serialized message. */
  public byte[] toProto() {
    ProtoWriter dump = new ProtoWriter();
    dump.bytes(ALLOCATOR_NAME, allocatorName.getBytes(StandardCharsets.UTF_8));
    for (BinTotals bin : bins) {
      dump.message(
          BIN_SUMMARY,
          new ProtoWriter()
              .number(1, bin.bin())
              .number(2, bin.bytesInUse())
              .number(3, bin.bytes())
              .number(4, bin.chunksInUse())
              .number(5, bin.chunks()));
    }
    for (Chunk chunk : chunks) {
      dump.message(
          CHUNK,
          new ProtoWriter()
              .number(1, chunk.address)
              .number(2, chunk.bytes)
              .number(3, chunk.requestedBytes)
              .number(4, chunk.bin)
              .number(6, chunk.freedAtCount)
              .flag(8, chunk.inUse));
    }
    return dump.message(STATS, stats()).toBytes();
  }

  private ProtoWriter stats() {
    return new ProtoWriter()
        .number(1, statistics.allocationCount())
        .number(2, statistics.bytesInUse())
        .number(3, statistics.peakBytesInUse())
        .number(4, statistics.largestAllocationBytes())
        .floatBits(5, fragmentationBits());
  }

  private int fragmentationBits() {
    return statistics.fragmentation().isPresent()
        ? Float.floatToRawIntBits((float) statistics.fragmentation().getAsDouble())
        : X86_NAN_BITS;
  }
}
