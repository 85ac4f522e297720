package dev.vramscope.replay;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.bfc.AllocationConsumer;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcState;
import dev.vramscope.allocator.bfc.BfcStatistics;
import dev.vramscope.allocator.bfc.BinTotals;
import dev.vramscope.allocator.bfc.MemoryMap;
import dev.vramscope.allocator.bfc.Scope;
import dev.vramscope.device.sim.SimSubAllocator;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HexFormat;
import java.util.List;

/** Writes the records of a BFC replay. Addresses are relative to the device's base. */
final class BfcRecords {
  /** Precision of {@code %.9g}. */
  private static final MathContext NINE_DIGITS = new MathContext(9, RoundingMode.HALF_EVEN);

  private static final int NO_ADDRESS = -1;

  private final RecordWriter writer;
  private final BfcLog log;
  private final BfcAllocator allocator;
  private final SimSubAllocator device;
  private final long base;

  /** A field because a method reference at the call site would allocate. */
  private final AllocationConsumer allocation = this::allocation;

  BfcRecords(
      RecordWriter writer, BfcLog log, BfcAllocator allocator, SimSubAllocator device, long base) {
    this.writer = writer;
    this.log = log;
    this.allocator = allocator;
    this.device = device;
    this.base = base;
  }

  private RecordWriter begin(int line, String operation) {
    return writer.beginRecord("i", line, operation);
  }

  private void end() throws IOException {
    log.write(writer);
    writer.endRecord();
  }

  void plain(int line, String operation) throws IOException {
    begin(line, operation);
    end();
  }

  void done(int line, String operation) throws IOException {
    begin(line, operation).field("ok", true);
    end();
  }

  void text(int line, String operation, String text) throws IOException {
    begin(line, operation).field("text", text);
    end();
  }

  void frontier(int line, long counter) throws IOException {
    begin(line, "frontier").field("counter", counter);
    end();
  }

  void malloc(TraceLines line, long block) throws IOException {
    line.write(1, begin(line.line(), "malloc").name("id"));
    if (block == Allocator.NO_BLOCK) {
      writer.field("addr", (String) null);
    } else {
      allocator.describe(block, allocation);
    }
    end();
  }

  private void allocation(long address, long bytes, long allocationId) {
    writer.field("addr", address - base).field("size", bytes).field("aid", allocationId);
  }

  void free(TraceLines line, boolean hadFailed) throws IOException {
    line.write(1, begin(line.line(), "free").name("id"));
    if (hadFailed) {
      writer.field("null", true);
    }
    end();
  }

  void statistics(int line) throws IOException {
    BfcStatistics now = allocator.statistics();
    begin(line, "stats")
        .field("num_allocs", now.allocationCount())
        .field("bytes_in_use", now.bytesInUse())
        .field("peak_bytes_in_use", now.peakBytesInUse())
        .field("largest_alloc_size", now.largestAllocationBytes())
        .field("bytes_limit", now.limitBytes())
        .field("bytes_reserved", 0)
        .field("peak_bytes_reserved", 0)
        .field("peak_allocated_bytes", 0)
        .field("bytes_reservable_limit", (String) null)
        .field("largest_free_block_bytes", now.largestFreeBytes())
        .field("pool_bytes", now.poolBytes())
        .field("peak_pool_bytes", now.peakPoolBytes())
        .name("fragmentation");
    if (now.fragmentation().isPresent()) {
      writer.value(now.fragmentation().getAsDouble());
    } else {
      writer.value((String) null);
    }
    writer
        .field("regions", now.regionCount())
        .name("next_region_bytes")
        .unsigned(now.nextRegionBytes())
        .field("max_internal_fragmentation_bytes", now.maxInternalFragmentationBytes());
    end();
  }

  void snapshot(int line) throws IOException {
    BfcState state = allocator.state();
    begin(line, "snapshot").name("regions").beginArray();
    for (BfcState.RegionState region : state.regions()) {
      writer
          .beginObject()
          .field("ptr", region.address() - base)
          .field("size", region.bytes())
          .name("chunks")
          .beginArray();
      region.chunks().forEach(this::chunk);
      writer.endArray().endObject();
    }
    writer.endArray().name("bins").beginArray();
    state.bins().forEach(this::bin);
    writer
        .endArray()
        .field("central_gap", state.centralGap())
        .field("chunk_slots", state.slotCount())
        .field("unused_head", state.firstDeadSlot())
        .field("next_aid", state.nextAllocationId());
    end();
  }

  private void chunk(BfcState.ChunkState chunk) {
    writer
        .beginObject()
        .field("h", chunk.slot())
        .field("ptr", chunk.address() - base)
        .field("size", chunk.bytes())
        .field("req", chunk.requestedBytes())
        .field("aid", chunk.allocationId())
        .field("bin", chunk.bin())
        .field("in_use", chunk.isAllocated())
        .field("prev", chunk.previous())
        .field("next", chunk.next())
        .field("tag", chunk.tag().text())
        .field("freed_at", chunk.freedAt());
    if (!chunk.scopes().isEmpty()) {
      writer.name("frames").beginArray();
      for (Scope scope : chunk.scopes()) {
        writer.value(scope.name());
      }
      writer.endArray();
    }
    writer.endObject();
  }

  private void bin(BfcState.BinState bin) {
    BinTotals totals = bin.totals();
    writer
        .beginObject()
        .field("bin", totals.bin())
        .field("bin_size", totals.smallestBytes())
        .field("bytes_in_use", totals.bytesInUse())
        .field("bytes_in_bin", totals.bytes())
        .field("requested_bytes_in_use", totals.requestedBytesInUse())
        .field("chunks_in_use", totals.chunksInUse())
        .field("chunks_in_bin", totals.chunks())
        .name("free")
        .beginArray();
    for (int slot : bin.freeSlots()) {
      writer.value(slot);
    }
    writer.endArray().endObject();
  }

  void memoryMap(int line) throws IOException {
    MemoryMap map = allocator.memoryMap();
    BfcStatistics now = map.statistics();
    begin(line, "memmap")
        .field("allocator_name", map.allocatorName())
        .name("stats")
        .beginObject()
        .field("num_allocs", now.allocationCount())
        .field("bytes_in_use", now.bytesInUse())
        .field("peak_bytes_in_use", now.peakBytesInUse())
        .field("largest_alloc_size", now.largestAllocationBytes())
        .name("fragmentation_metric");
    if (now.fragmentation().isPresent()) {
      float metric = (float) now.fragmentation().getAsDouble();
      writer.value(new BigDecimal(metric).round(NINE_DIGITS).doubleValue());
    } else {
      writer.value((String) null);
    }
    writer.endObject().name("bin_summary").beginArray();
    for (BinTotals bin : map.bins()) {
      writer
          .beginArray()
          .value(bin.bin())
          .value(bin.bytesInUse())
          .value(bin.bytes())
          .value(bin.chunksInUse())
          .value(bin.chunks())
          .endArray();
    }
    writer.endArray().name("chunk").beginArray();
    for (MemoryMap.Chunk chunk : map.chunks()) {
      writer
          .beginArray()
          .value(chunk.address() - base)
          .value(chunk.bytes())
          .value(chunk.requestedBytes())
          .value(chunk.bin())
          .value(chunk.inUse())
          .value(chunk.freedAtCount())
          .endArray();
    }
    writer.endArray().field("proto_hex", HexFormat.of().formatHex(map.toProto()));
    end();
  }

  void device(int line) throws IOException {
    SimSubAllocator.Counts counts = device.counts();
    begin(line, "device")
        .field("calls", counts.calls())
        .field("failures", counts.failures())
        .field("frees", counts.frees())
        .field("in_use", counts.bytesInUse())
        .field("peak", counts.peakBytesInUse())
        .field("live", counts.live())
        .name("attempts")
        .beginArray();
    for (SimSubAllocator.Attempt attempt : device.drainAttempts()) {
      writer
          .beginArray()
          .unsigned(attempt.requestedBytes())
          .value(attempt.allocatedBytes())
          .value(attempt.allocatedBytes() == 0 ? NO_ADDRESS : attempt.address() - base)
          .endArray();
    }
    writer.endArray().name("freed").beginArray();
    List<SimSubAllocator.Release> releases = device.drainReleases();
    for (SimSubAllocator.Release release : releases) {
      writer.beginArray().value(release.address() - base).value(release.bytes()).endArray();
    }
    writer.endArray();
    end();
  }
}
