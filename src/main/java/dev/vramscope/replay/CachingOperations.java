package dev.vramscope.replay;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.CachingAllocator;
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

/** The operations of a caching trace. An operation that fails writes a record that says how. */
final class CachingOperations {
  private static final String ERROR = "Error";
  private static final String NO_SUCH_POOL =
      "it != graph_pools.end() INTERNAL ASSERT FAILED at"
          + " \"/__w/pytorch/pytorch/c10/cuda/CUDACachingAllocator.cpp\":3337, please report a bug"
          + " to PyTorch. ";

  private final TraceCard card;
  private final Device device;
  private final CachingAllocator allocator;
  private final CachingRecords records;
  private final LiveBlocks live = new LiveBlocks();
  private final Map<PoolId, Set<Integer>> capturingStreams = new HashMap<>();
  private final long epoch = SimDevice.MEMORY_BASE;

  /** Where blocks come from: the caching allocator, or none when caching is off. */
  private Allocator source;

  private int currentStream = Streams.DEFAULT;
  private int line;

  CachingOperations(TraceCard card, CachingAllocator allocator, CachingRecords records) {
    this.card = card;
    this.device = card.device();
    this.allocator = allocator;
    this.records = records;
    this.source = allocator;
    allocator.addOutOfMemoryObserver(
        (ordinal, segmentBytes, limitBytes, freeBytes) ->
            records.outOfMemory(line, ordinal, segmentBytes, limitBytes, freeBytes));
  }

  /** Takes blocks from another allocator; everything else still asks the caching one. */
  void allocateFrom(Allocator other) {
    source = other;
  }

  void run(TraceLines words) throws IOException {
    line = words.line();
    if (words.isOperation("malloc")) {
      malloc("malloc", words, false);
    } else if (words.isOperation("free")) {
      source.free(live.remove(words.number(1)));
    } else {
      runOther(words.word(0), words);
    }
  }

  private void malloc(String operation, TraceLines words, boolean forTensor) throws IOException {
    long id = words.number(1);
    long bytes = words.unsigned(2);
    int stream = forTensor ? currentStream : words.small(3);
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

  private void mallocAt(TraceLines words) throws IOException {
    long id = words.number(1);
    long address = epoch + words.number(4);
    try {
      long block = allocator.allocateAt(words.unsigned(2), words.small(3), address);
      allocated("malloc_at", id, allocator, block);
    } catch (IllegalArgumentException | IllegalStateException e) {
      records.failure(line, "malloc_at", id, ERROR, e.getMessage());
    }
  }

  private void allocated(String operation, long id, Allocator from, long block) throws IOException {
    live.put(id, block);
    records.block(line, operation, id, block == 0 ? -1 : from.address(block) - epoch);
  }

  private void runOther(String operation, TraceLines words) throws IOException {
    try {
      perform(operation, words);
    } catch (ConfigurationException e) {
      records.failure(line, operation, e.kind().torchName(), e.getMessage());
    } catch (UnknownPoolException e) {
      records.failure(line, operation, ERROR, NO_SUCH_POOL);
    } catch (IllegalArgumentException | IllegalStateException | DeviceException e) {
      records.failure(line, operation, ERROR, e.getMessage());
    }
  }

  private void perform(String operation, TraceLines words) throws IOException {
    switch (operation) {
      case "allocate" -> malloc(operation, words, true);
      case "malloc_at" -> mallocAt(words);
      case "record_stream" -> source.recordStream(live.get(words.number(1)), words.small(2));
      case "sync" -> device.streams().synchronize(words.small(1));
      case "sync_all" -> device.streams().synchronizeAll();
      case "advance" -> card.advance(words.small(1), words.number(2));
      case "empty_cache" -> allocator.emptyCache(poolOrDefault(words));
      case "set_fraction" -> allocator.setMemoryFraction(words.real(1));
      case "get_fraction" -> records.real(line, operation, "value", allocator.memoryFraction());
      case "external" -> card.setExternalBytes(words.unsigned(1));
      case "stats" -> records.statistics(line);
      case "snapshot" -> records.snapshot(line, poolOrDefault(words), false);
      case "snapshot_full" -> records.snapshot(line, poolOrDefault(words), true);
      case "reset_peak" -> allocator.resetPeakStatistics();
      case "reset_accumulated" -> allocator.resetAccumulatedStatistics();
      case "set_config" -> allocator.configure(words.rest(1));
      case "set_stream" -> currentStream = words.small(1);
      case "cache_info" -> cacheInfo(words);
      case "base_alloc" -> baseAllocation(words);
      case "mem_info" -> records.memory(line);
      case "expandable_sizes" -> records.expandableSegments(line);
      case "device_calls" -> records.deviceCalls(line);
      default -> performWithPoolOrHistory(operation, words);
    }
  }

  private void performWithPoolOrHistory(String operation, TraceLines words) throws IOException {
    switch (operation) {
      case "pool_create" -> allocator.createOrUsePool(pool(words, 1));
      case "pool_begin" -> beginPool(words);
      case "pool_end" -> allocator.endAllocateToPool(pool(words, 1));
      case "pool_release" -> allocator.releasePool(pool(words, 1));
      case "pool_use_on_oom" ->
          allocator.setUsedOnOutOfMemory(pool(words, 1), words.number(3) != 0);
      case "pool_no_split" -> allocator.forbidSplits(pool(words, 1));
      case "pool_use_count" ->
          records.number(line, operation, "value", allocator.poolUseCount(pool(words, 1)));
      case "capture_begin" -> beginCapture(words.small(1), pool(words, 2));
      case "capture_join" -> streamsCapturing(pool(words, 2)).add(words.small(1));
      case "capture_end" -> endCapture(pool(words, 1));
      case "record_history" -> recordHistory(words);
      case "metadata" -> allocator.history().setUserMetadata(words.rest(1));
      case "annotate" -> annotate(words);
      case "external_annotation" ->
          allocator.history().annotateExternally(Map.of(words.word(1), words.rest(2)));
      case "compile_push" -> allocator.history().pushCompileContext(words.rest(1));
      case "compile_pop" -> allocator.history().popCompileContext();
      default -> throw new TraceLineException(line, "There is no operation '" + operation + "'.");
    }
  }

  private static PoolId pool(TraceLines words, int from) {
    return new PoolId(words.number(from), words.number(from + 1));
  }

  private static PoolId poolOrDefault(TraceLines words) {
    return words.has(1) ? pool(words, 1) : PoolId.DEFAULT;
  }

  private void beginPool(TraceLines words) {
    if (!words.has(3) || words.word(3).equals("*")) {
      allocator.beginAllocateToPool(pool(words, 1), stream -> true);
    } else {
      int only = words.small(3);
      allocator.beginAllocateToPool(pool(words, 1), stream -> stream == only);
    }
  }

  private Set<Integer> streamsCapturing(PoolId pool) {
    return capturingStreams.computeIfAbsent(pool, p -> new HashSet<>());
  }

  private void beginCapture(int stream, PoolId pool) {
    currentStream = stream;
    Set<Integer> streams = streamsCapturing(pool);
    streams.add(stream);
    allocator.beginAllocateToPool(pool, streams::contains);
    allocator.beginCapture();
  }

  private void endCapture(PoolId pool) {
    capturingStreams.remove(pool);
    currentStream = Streams.DEFAULT;
    allocator.endAllocateToPool(pool);
    allocator.endCapture();
  }

  /** {@code on [MAX [CLEAR [SKIPPED...]]]} or {@code off}. */
  private void recordHistory(TraceLines words) {
    if (!words.word(1).equals("on")) {
      allocator.history().stop();
      return;
    }
    List<String> skipped = new ArrayList<>();
    for (int i = 4; i < words.words(); i++) {
      skipped.add(words.word(i));
    }
    allocator
        .history()
        .start(
            words.has(2) ? words.number(2) : History.UNBOUNDED,
            words.has(3) && words.number(3) != 0,
            skipped);
  }

  private void annotate(TraceLines words) {
    long block = live.get(words.number(1));
    if (block != Allocator.NO_BLOCK) {
      allocator.annotate(block, words.rest(2));
    }
  }

  /** The largest block the cache could serve, at least what the caller knows to be possible. */
  private void cacheInfo(TraceLines words) throws IOException {
    long known = words.has(1) ? words.number(1) : 0;
    long least = known == 0 ? device.memory().freeBytes() : known;
    records.number(
        line, "cache_info", "largest", Math.max(least, allocator.largestFreeBlockBytes()));
  }

  private void baseAllocation(TraceLines words) throws IOException {
    long id = words.number(1);
    records.baseAllocation(line, id, allocator.baseAllocation(live.get(id)));
  }
}
