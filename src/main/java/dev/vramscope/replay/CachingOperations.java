package dev.vramscope.replay;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CaptureActiveException;
import dev.vramscope.allocator.caching.UnknownPoolException;
import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.allocator.caching.history.History;
import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.Streams;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.PoolId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs the operations of a caching trace. A failing operation writes a record with the error. */
final class CachingOperations {
  private static final String ERROR = "Error";
  private static final String NO_SUCH_POOL =
      "it != graph_pools.end() INTERNAL ASSERT FAILED at"
          + " \"/__w/pytorch/pytorch/c10/cuda/CUDACachingAllocator.cpp\":3337, please report a bug"
          + " to PyTorch. ";
  private static final String CAPTURE_ACTIVE =
      "!is_capture_context() INTERNAL ASSERT FAILED at"
          + " \"/__w/pytorch/pytorch/c10/cuda/CUDACachingAllocator.cpp\":4290, please report a bug"
          + " to PyTorch. ";

  private final TraceDevice traceDevice;
  private final Device device;
  private final CachingAllocator allocator;
  private final CachingRecords records;
  private final LiveBlocks live = new LiveBlocks();
  private final Map<PoolId, Set<Integer>> capturingStreams = new HashMap<>();
  private final long baseAddress = SimDevice.MEMORY_BASE;

  /** Allocates the blocks: the caching allocator, or another one when caching is off. */
  private Allocator source;

  private int currentStream = Streams.DEFAULT;
  private int line;

  CachingOperations(TraceDevice traceDevice, CachingAllocator allocator, CachingRecords records) {
    this.traceDevice = traceDevice;
    this.device = traceDevice.device();
    this.allocator = allocator;
    this.records = records;
    this.source = allocator;
    allocator
        .memoryPools()
        .setCaptureStatus(
            () ->
                capturingStreams.values().stream()
                    .anyMatch(streams -> streams.contains(currentStream)));
    allocator.addOutOfMemoryObserver(
        (ordinal, segmentBytes, limitBytes, freeBytes) ->
            records.outOfMemory(line, ordinal, segmentBytes, limitBytes, freeBytes));
  }

  /** Allocates blocks from another allocator; all other operations still use the caching one. */
  void allocateFrom(Allocator other) {
    source = other;
  }

  void run(TraceLines trace) throws IOException {
    line = trace.line();
    if (trace.isOperation("malloc")) {
      malloc("malloc", trace, /* forTensor= */ false);
    } else if (trace.isOperation("free")) {
      source.free(live.remove(trace.number(1)));
    } else {
      runOther(trace.token(0), trace);
    }
  }

  private void malloc(String operation, TraceLines trace, boolean forTensor) throws IOException {
    long id = trace.number(1);
    long bytes = trace.unsigned(2);
    int stream = forTensor ? currentStream : trace.small(3);
    try {
      long block;
      if (!source.equals(allocator)) {
        block = source.allocate(bytes, stream);
      } else if (forTensor) {
        block = allocator.allocateForTensor(bytes, stream);
      } else {
        block = bytes == 0 ? Allocator.NO_BLOCK : allocator.allocateUnsigned(bytes, stream);
      }
      allocated(operation, id, source, block);
    } catch (OutOfDeviceMemoryException e) {
      String kind = source.equals(allocator) ? "OutOfMemoryError" : ERROR;
      records.failure(line, operation, id, kind, e.getMessage());
    } catch (IllegalArgumentException | DeviceException e) {
      records.failure(line, operation, id, ERROR, e.getMessage());
    }
  }

  private void mallocAt(TraceLines trace) throws IOException {
    long id = trace.number(1);
    long address = baseAddress + trace.number(4);
    int before = currentStream;
    currentStream = trace.small(3);
    try {
      long block = allocator.allocateAt(trace.unsigned(2), currentStream, address);
      allocated("malloc_at", id, allocator, block);
    } catch (IllegalArgumentException | IllegalStateException e) {
      records.failure(line, "malloc_at", id, ERROR, e.getMessage());
    } finally {
      currentStream = before;
    }
  }

  private void allocated(String operation, long id, Allocator from, long block) throws IOException {
    live.put(id, block);
    records.block(line, operation, id, block == 0 ? -1 : from.address(block) - baseAddress);
  }

  private void runOther(String operation, TraceLines trace) throws IOException {
    try {
      perform(operation, trace);
    } catch (ConfigurationException e) {
      records.failure(line, operation, e.kind().torchName(), e.getMessage());
    } catch (UnknownPoolException e) {
      records.failure(line, operation, ERROR, NO_SUCH_POOL);
    } catch (CaptureActiveException e) {
      records.failure(line, operation, ERROR, CAPTURE_ACTIVE);
    } catch (IllegalArgumentException | IllegalStateException | DeviceException e) {
      records.failure(line, operation, ERROR, e.getMessage());
    }
  }

  private void perform(String operation, TraceLines trace) throws IOException {
    switch (operation) {
      case "allocate" -> malloc(operation, trace, /* forTensor= */ true);
      case "malloc_at" -> mallocAt(trace);
      case "record_stream" -> source.recordStream(live.get(trace.number(1)), trace.small(2));
      case "sync" -> device.streams().synchronize(trace.small(1));
      case "sync_all" -> device.streams().synchronizeAll();
      case "advance" -> traceDevice.advance(trace.small(1), trace.number(2));
      case "empty_cache" -> allocator.emptyCache(poolOrDefault(trace));
      case "set_fraction" -> allocator.setMemoryFraction(trace.real(1));
      case "get_fraction" -> records.real(line, operation, "value", allocator.memoryFraction());
      case "external" -> traceDevice.setExternalBytes(trace.unsigned(1));
      case "stats" -> records.statistics(line);
      case "snapshot" -> records.snapshot(line, poolOrDefault(trace));
      case "snapshot_full" -> records.snapshotWithSettings(line, poolOrDefault(trace));
      case "reset_peak" -> allocator.resetPeakStatistics();
      case "reset_accumulated" -> allocator.resetAccumulatedStatistics();
      case "set_config" -> allocator.configure(trace.rest(1));
      case "set_stream" -> currentStream = trace.small(1);
      case "cache_info" -> cacheInfo(trace);
      case "base_alloc" -> baseAllocation(trace);
      case "mem_info" -> records.memory(line);
      case "expandable_sizes" -> records.expandableSegments(line);
      case "device_calls" -> records.deviceCalls(line);
      default -> performWithPoolOrHistory(operation, trace);
    }
  }

  private void performWithPoolOrHistory(String operation, TraceLines trace) throws IOException {
    switch (operation) {
      case "pool_create" -> allocator.memoryPools().createOrUse(pool(trace, 1));
      case "pool_begin" -> beginPool(trace);
      case "pool_end" -> allocator.memoryPools().endAllocate(pool(trace, 1));
      case "pool_release" -> allocator.memoryPools().release(pool(trace, 1));
      case "pool_use_on_oom" ->
          allocator.memoryPools().setUsedOnOutOfMemory(pool(trace, 1), trace.number(3) != 0);
      case "pool_no_split" -> allocator.memoryPools().forbidSplits(pool(trace, 1));
      case "pool_use_count" ->
          records.number(
              line, operation, "value", allocator.memoryPools().useCount(pool(trace, 1)));
      case "capture_begin" -> beginCapture(trace.small(1), pool(trace, 2));
      case "capture_join" -> streamsCapturing(pool(trace, 2)).add(trace.small(1));
      case "capture_end" -> endCapture(pool(trace, 1));
      case "record_history" -> recordHistory(trace);
      case "metadata" -> allocator.history().setUserMetadata(trace.rest(1));
      case "annotate" -> annotate(trace);
      case "external_annotation" ->
          allocator.history().annotateExternally(Map.of(trace.token(1), trace.rest(2)));
      case "compile_push" -> allocator.history().pushCompileContext(trace.rest(1));
      case "compile_pop" -> allocator.history().popCompileContext();
      default -> throw new TraceLineException(line, "There is no operation '" + operation + "'.");
    }
  }

  private static PoolId pool(TraceLines trace, int from) {
    return new PoolId(trace.number(from), trace.number(from + 1));
  }

  private static PoolId poolOrDefault(TraceLines trace) {
    return trace.has(1) ? pool(trace, 1) : PoolId.DEFAULT;
  }

  private void beginPool(TraceLines trace) {
    if (!trace.has(3) || trace.token(3).equals("*")) {
      allocator.memoryPools().beginAllocate(pool(trace, 1), stream -> true);
    } else {
      int only = trace.small(3);
      allocator.memoryPools().beginAllocate(pool(trace, 1), stream -> stream == only);
    }
  }

  private Set<Integer> streamsCapturing(PoolId pool) {
    return capturingStreams.computeIfAbsent(pool, p -> new HashSet<>());
  }

  private void beginCapture(int stream, PoolId pool) {
    currentStream = stream;
    Set<Integer> streams = streamsCapturing(pool);
    streams.add(stream);
    allocator.memoryPools().beginAllocate(pool, streams::contains);
    allocator.memoryPools().beginCapture();
  }

  private void endCapture(PoolId pool) {
    capturingStreams.remove(pool);
    currentStream = Streams.DEFAULT;
    allocator.memoryPools().endAllocate(pool);
    allocator.memoryPools().endCapture();
  }

  /** {@code on [MAX [CLEAR [SKIPPED...]]]} or {@code off}. */
  private void recordHistory(TraceLines trace) {
    if (!trace.token(1).equals("on")) {
      allocator.history().stop();
      return;
    }
    List<String> skipped = new ArrayList<>();
    for (int i = 4; i < trace.tokenCount(); i++) {
      skipped.add(trace.token(i));
    }
    allocator
        .history()
        .start(
            trace.has(2) ? trace.number(2) : History.UNBOUNDED,
            trace.has(3) && trace.number(3) != 0
                ? History.EarlierEntries.REMOVE
                : History.EarlierEntries.KEEP,
            skipped);
  }

  private void annotate(TraceLines trace) {
    long block = live.get(trace.number(1));
    if (block != Allocator.NO_BLOCK) {
      allocator.annotate(block, trace.rest(2));
    }
  }

  /** The largest block that the cache can serve, and at least the size that the caller gives. */
  private void cacheInfo(TraceLines trace) throws IOException {
    long argument = trace.has(1) ? trace.number(1) : 0;
    long minimum = argument == 0 ? device.memory().freeBytes() : argument;
    records.number(
        line, "cache_info", "largest", Math.max(minimum, allocator.largestFreeBlockBytes()));
  }

  private void baseAllocation(TraceLines trace) throws IOException {
    long id = trace.number(1);
    records.baseAllocation(line, id, allocator.baseAllocation(live.get(id)));
  }
}
