package dev.vramscope.replay;

import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.allocator.caching.BaseAllocation;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.ExpandableSegmentView;
import dev.vramscope.allocator.caching.configuration.ConfigurationView;
import dev.vramscope.allocator.caching.history.HistoryEntry;
import dev.vramscope.allocator.caching.statistics.Stat;
import dev.vramscope.allocator.caching.statistics.StatArray;
import dev.vramscope.allocator.caching.statistics.Statistic;
import dev.vramscope.allocator.caching.statistics.StatisticsView;
import dev.vramscope.device.Device;
import dev.vramscope.device.Streams;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.TraceAction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the records of a caching trace. Addresses are relative to the device's first address. */
final class CachingRecords {
  private final RecordWriter writer;
  private final CachingAllocator allocator;
  private final TraceDevice traceDevice;
  private final Device device;

  CachingRecords(RecordWriter writer, CachingAllocator allocator, TraceDevice traceDevice) {
    this.writer = writer;
    this.allocator = allocator;
    this.traceDevice = traceDevice;
    this.device = traceDevice.device();
  }

  private static long relative(long address) {
    return address - SimDevice.MEMORY_BASE;
  }

  void block(int line, String operation, long id, long relativeAddress) throws IOException {
    writer.beginRecord(line, operation).field("id", id).field("addr", relativeAddress).endRecord();
  }

  void failure(int line, String operation, long id, String kind, @Nullable String message)
      throws IOException {
    writer
        .beginRecord(line, operation)
        .field("id", id)
        .field("error", kind)
        .field("message", message)
        .endRecord();
  }

  void failure(int line, String operation, String kind, @Nullable String message)
      throws IOException {
    writer.beginRecord(line, operation).field("error", kind).field("message", message).endRecord();
  }

  void outOfMemory(int line, int ordinal, long segmentBytes, long limitBytes, long freeBytes) {
    try {
      writer
          .beginRecord(line, "oom_observer")
          .field("device", ordinal)
          .name("alloc_size")
          .unsigned(segmentBytes)
          .field("device_total", limitBytes)
          .field("device_free", freeBytes)
          .endRecord();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void number(int line, String operation, String name, long value) throws IOException {
    writer.beginRecord(line, operation).field(name, value).endRecord();
  }

  void real(int line, String operation, String name, double value) throws IOException {
    writer.beginRecord(line, operation).name(name).value(value).endRecord();
  }

  void baseAllocation(int line, long id, BaseAllocation base) throws IOException {
    writer
        .beginRecord(line, "base_alloc")
        .field("id", id)
        .field("addr", relative(base.address()))
        .field("size", base.bytes())
        .endRecord();
  }

  void memory(int line) throws IOException {
    writer
        .beginRecord(line, "mem_info")
        .field("free", device.memory().freeBytes())
        .field("total", device.memory().totalBytes())
        .endRecord();
  }

  /** Segments of the default stream are left out, as in PyTorch. */
  void expandableSegments(int line) throws IOException {
    writer.beginRecord(line, "expandable_sizes").name("segments").beginArray();
    for (ExpandableSegmentView segment : allocator.expandableSegments()) {
      if (segment.stream() != Streams.DEFAULT) {
        writer
            .beginObject()
            .field("stream", segment.stream())
            .field("small", segment.small())
            .field("mapped", segment.mappedBytes())
            .endObject();
      }
    }
    writer.endArray().endRecord();
  }

  void deviceCalls(int line) throws IOException {
    DeviceCalls calls = traceDevice.calls();
    writer
        .beginRecord(line, "device_calls")
        .field("cudaMalloc", calls.allocate())
        .field("cudaFree", calls.free())
        .field("cuMemCreate", calls.createPage())
        .field("cuMemRelease", calls.releasePage())
        .field("cuMemMap", calls.map())
        .field("cuMemUnmap", calls.unmap())
        .field("cuMemAddressReserve", calls.reserve())
        .field("cuMemAddressFree", calls.freeReservation())
        .field("cudaEventRecord", calls.recordEvent())
        .field("cudaEventQuery", calls.isDone())
        .field("cudaEventSynchronize", calls.synchronizeEvent())
        .endRecord();
  }

  void statistics(int line) throws IOException {
    StatisticsView statistics = allocator.statistics();
    writer.beginRecord(line, "stats");
    for (Statistic statistic : Statistic.values()) {
      writer.name(statistic.torchName());
      array(statistics.get(statistic));
    }
    writer.name("oversize_allocations");
    stat(statistics.oversizeAllocations());
    writer.name("oversize_segments");
    stat(statistics.oversizeSegments());
    writer
        .field("num_alloc_retries", statistics.allocRetryCount())
        .field("num_ooms", statistics.outOfMemoryCount())
        .field("num_sync_all_streams", statistics.syncAllStreamsCount())
        .field("num_device_alloc", statistics.deviceAllocCount())
        .field("num_device_free", statistics.deviceFreeCount())
        .field("num_oom_rejections", statistics.outOfMemoryRejectionCount())
        .field("max_split_size", statistics.maxSplitBytes())
        .name("reserved_bytes_by_private_pools")
        .beginObject();
    for (Map.Entry<PoolId, StatArray> entry : statistics.reservedByPrivatePool().entrySet()) {
      writer.name(entry.getKey().toString());
      array(entry.getValue());
    }
    writer.endObject().field("device_used", traceDevice.usedBytes()).endRecord();
  }

  private void array(StatArray array) {
    writer.beginObject().name("all");
    stat(array.all());
    writer.name("small_pool");
    stat(array.smallPool());
    writer.name("large_pool");
    stat(array.largePool());
    writer.endObject();
  }

  private void stat(Stat stat) {
    writer
        .beginObject()
        .field("current", stat.current())
        .field("peak", stat.peak())
        .field("allocated", stat.allocated())
        .field("freed", stat.freed())
        .endObject();
  }

  void snapshot(int line, PoolId only) throws IOException {
    memory(line, only);
    writer.endRecord();
  }

  /** With the allocator's configuration at the end. */
  void snapshotWithSettings(int line, PoolId only) throws IOException {
    memory(line, only);
    settings(allocator.configuration());
    writer.endRecord();
  }

  /** The history does not include the entry of this snapshot itself. */
  private void memory(int line, PoolId only) throws IOException {
    boolean withHistory = allocator.history().isOn();
    List<HistoryEntry> entries = withHistory ? allocator.history().entries() : List.of();
    List<SegmentView> segments = allocator.snapshot(only);
    writer.beginRecord(line, "snapshot").name("segments").beginArray();
    segments.forEach(this::segment);
    writer.endArray();
    if (withHistory) {
      writer.name("device_traces").beginArray().beginArray();
      entries.forEach(this::entry);
      writer.endArray().endArray();
      externalAnnotations(allocator.history().externalAnnotations());
    }
  }

  private void segment(SegmentView segment) {
    writer
        .beginObject()
        .field("address", relative(segment.address()))
        .field("total_size", segment.bytes())
        .field("stream", segment.stream())
        .field("segment_type", segment.large() ? "large" : "small")
        .field("is_expandable", segment.expandable());
    pool("segment_pool_id", segment.pool());
    writer
        .field("registration_counter", segment.registration())
        .field("allocated_size", segment.allocatedBytes())
        .field("active_size", segment.activeBytes())
        .field("requested_size", segment.requestedBytes())
        .field("device", device.ordinal())
        .name("blocks")
        .beginArray();
    for (BlockView block : segment.blocks()) {
      writer
          .beginObject()
          .field("address", relative(block.address()))
          .field("size", block.bytes())
          .field("requested_size", block.requestedBytes())
          .field("state", stateName(block.state()))
          .endObject();
    }
    writer.endArray().endObject();
  }

  private static String stateName(BlockState state) {
    return switch (state) {
      case ALLOCATED -> "active_allocated";
      case PENDING_FREE -> "active_pending_free";
      case INACTIVE -> "inactive";
    };
  }

  private void entry(HistoryEntry entry) {
    writer.beginObject().field("action", entry.action().torchName());
    if (entry.action() == TraceAction.OOM) {
      writer.field("device_free", entry.deviceFreeBytes());
    } else {
      writer.field("addr", entry.address() == 0 ? 0 : relative(entry.address()));
    }
    writer
        .name("size")
        .unsigned(entry.bytes())
        .field("stream", entry.stream())
        .field("device", device.ordinal());
    pool("pool_id", entry.pool());
    if (!entry.compileContext().isEmpty()) {
      writer.field("compile_context", entry.compileContext());
    }
    if (!entry.userMetadata().isEmpty()) {
      writer.field("user_metadata", entry.userMetadata());
    }
    writer.endObject();
  }

  private void pool(String name, PoolId pool) {
    writer.name(name).beginArray().value(pool.graph()).value(pool.user()).endArray();
  }

  private void externalAnnotations(List<Map<String, String>> annotations) {
    if (annotations.isEmpty()) {
      return;
    }
    writer.name("external_annotations").beginArray();
    for (Map<String, String> annotation : annotations) {
      writer.beginObject();
      annotation.forEach(writer::field);
      writer.endObject();
    }
    writer.endArray();
  }

  private void settings(ConfigurationView settings) {
    writer
        .name("allocator_settings")
        .beginObject()
        .field("PYTORCH_CUDA_ALLOC_CONF", settings.lastSettings())
        .field("max_split_size", settings.maxSplitBytes())
        .name("garbage_collection_threshold")
        .value(settings.garbageCollectionThreshold())
        .field("expandable_segments", settings.expandableSegments())
        .field("pinned_num_register_threads", settings.pinnedRegisterThreads())
        .field("release_lock_on_cudamalloc", settings.releaseLockOnDeviceMalloc())
        .field("pinned_use_cuda_host_register", settings.pinnedUseHostRegister())
        .field("graph_capture_record_stream_reuse", settings.graphCaptureRecordStreamReuse())
        .name("roundup_power2_divisions")
        .beginArray();
    settings.roundupPower2Divisions().forEach(writer::value);
    writer
        .endArray()
        .field("max_round_threshold", settings.pinnedMaxRoundThresholdBytes())
        .field("max_cached_size", settings.pinnedMaxCachedBytes())
        .endObject();
  }
}
