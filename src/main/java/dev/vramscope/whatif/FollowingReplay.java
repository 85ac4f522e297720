package dev.vramscope.whatif;

import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.caching.Client;
import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.whatif.ScriptedDevice.ScriptedStreams;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Replays a recording under its own settings and compares each segment event and each placement
 * with the recorded one.
 *
 * <p>The device follows the recording ({@link ScriptedDevice}). After a placement that differs, the
 * block is moved to its recorded address if that is free, so that one difference is counted once.
 *
 * <p>Segment events are grouped by the request that caused them. Releases before a request belong
 * to it if memory was acquired afterwards and they have its stack; otherwise the cache was emptied.
 */
final class FollowingReplay {
  private static final long MAX_REQUEST_BYTES = 1L << 62;
  private static final int PROGRESS_STEP = 1 << 10;

  private final Trace trace;
  private final StreamNumbers streams;
  private final DelayedFrees delayed;
  private final SegmentScript script;
  private final ScriptedDevice device;
  private final CachingAllocator allocator;
  private final PoolScopes pools;
  private final SizeRules sizes;
  private final InitialState initial;
  private final StartEvidence evidence;

  /** The handle of each live block by its recorded address. */
  private final Map<Long, Long> live = new HashMap<>();

  /** The event that a freed block waits for, by its recorded address. */
  private final Map<Long, Long> waiting = new HashMap<>();

  /** Completed frees that the next request makes reusable. */
  private final List<Long> completed = new ArrayList<>();

  /** Whether the operation under way began before the recording, with its search for a block. */
  private boolean isCutOff;

  /** The event that could not be followed, or -1. */
  private int endedAt = -1;

  /** Whether that is because the time was over. */
  private boolean isTooLong;

  private int placements;
  private int reproducedPlacements;
  private int servedFailures;
  private int contradictions;

  /**
   * An allocator in the initial state.
   *
   * @param evidence is told of the differences
   */
  FollowingReplay(
      DeviceSnapshot recorded,
      StreamNumbers streams,
      InitialState initial,
      RecordedSettings settings,
      TieBreak tieBreak,
      long deviceBytes,
      StartEvidence evidence) {
    trace = recorded.trace();
    sizes = settings.sizes();
    this.streams = streams;
    this.evidence = evidence;
    delayed = new DelayedFrees(trace, streams.count(), pendingAddresses(recorded));
    script = new SegmentScript(trace, evidence);
    device = new ScriptedDevice(trace, script, deviceBytes);
    allocator =
        new CachingAllocator(
            device,
            CachingOptions.of(settings.text())
                .withTieBreak(tieBreak)
                .withClient(Client.REPLAY)
                .withClock(() -> 0));
    pools = new PoolScopes(allocator, recorded);
    isCutOff = !initial.isEmpty();
    this.initial = initial;
  }

  private static Set<Long> pendingAddresses(DeviceSnapshot recorded) {
    return recorded.segments().stream()
        .flatMap(segment -> segment.blocks().stream())
        .filter(block -> block.state() == BlockState.PENDING_FREE)
        .map(Block::address)
        .collect(Collectors.toSet());
  }

  private void restore() {
    device.restore(initial.segments());
    List<Block> pending = new ArrayList<>();
    allocator.restore(
        initial.segments(),
        (block, handle) -> {
          live.put(block.address(), handle);
          if (block.state() == BlockState.PENDING_FREE) {
            pending.add(block);
          }
        });
    initial.segments().forEach(segment -> pools.exists(segment.pool()));
    for (Block block : pending) {
      free(block.address(), OptionalInt.of(delayed.completionOfEarlier(block.address())));
    }
    allocator.addListener(new Comparison());
  }

  private final class Comparison implements AllocatorListener {
    @Override
    public void event(TraceAction action, long address, long bytes, int stream, int pool) {
      switch (action) {
        case SEGMENT_ALLOC, SEGMENT_FREE, SEGMENT_MAP, SEGMENT_UNMAP ->
            script.replayed(action, address, bytes);
        default -> {
          // Blocks are compared by the requests.
        }
      }
    }

    @Override
    public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
      // The request is compared.
    }
  }

  /**
   * Replays the whole trace, or the part before events that cannot be followed, or before the time
   * is over.
   */
  void run(Progress progress) {
    int event = 0;
    try {
      restore();
      for (; event < trace.size(); event++) {
        if (event % PROGRESS_STEP == 0 && progress.isOver()) {
          end(event);
          isTooLong = true;
          break;
        }
        replay(event);
      }
      emptyCacheAsRecorded();
    } catch (RuntimeException contradiction) {
      // Recorded addresses that overlap break the allocator's own structures.
      end(event);
    }
    script.end();
  }

  private void end(int event) {
    endedAt = event;
    placements = allocations();
  }

  private int allocations() {
    int count = 0;
    for (int event = 0; event < trace.size(); event++) {
      count += trace.action(event) == TraceAction.ALLOC ? 1 : 0;
    }
    return count;
  }

  private void replay(int event) {
    switch (trace.action(event)) {
      case ALLOC, OOM, FREE_REQUESTED -> {
        operate(event);
        isCutOff = false;
      }
      case FREE_COMPLETED -> completeFree(event);
      case SEGMENT_ALLOC, SEGMENT_FREE, SEGMENT_MAP, SEGMENT_UNMAP -> script.expect(event);
      case SNAPSHOT, USER_DEFINED, ANNOTATE, OTHER -> {
        // Changes nothing.
      }
    }
  }

  private void operate(int event) {
    switch (trace.action(event)) {
      case ALLOC -> allocate(event);
      case OOM -> fail(event);
      default -> requestFree(event);
    }
  }

  // Requests -----------------------------------------------------------------------------------

  private void allocate(int event) {
    prepareRequest(event);
    placements++;
    long address = trace.address(event);
    long handle = request(event);
    script.end();
    if (handle == 0) {
      live.remove(address);
      return;
    }
    if (allocator.address(handle) == address) {
      reproducedPlacements++;
    } else {
      handle = moved(event, handle);
    }
    Long replaced = live.put(address, handle);
    if (replaced != null) {
      contradictions++;
      allocator.free(replaced);
    }
  }

  /** A block at the recorded address instead of this one, if the address is free. */
  private long moved(int event, long handle) {
    long allocatedAddress = allocator.address(handle);
    long recorded = trace.address(event);
    allocator.free(handle);
    BlockView there = allocator.inactiveBlockAt(recorded);
    BlockView here = allocator.inactiveBlockAt(allocatedAddress);
    if (there != null && here != null) {
      learn(there, here, trace.bytes(event));
    }
    return pools.within(
        event,
        () -> {
          int stream = streams.of(trace.stream(event));
          try {
            return allocator.allocateAt(trace.bytes(event), stream, recorded);
          } catch (IllegalStateException | IllegalArgumentException occupied) {
            return allocator.allocate(trace.bytes(event), stream);
          }
        });
  }

  private void learn(BlockView recorded, BlockView replayed, long requestedBytes) {
    if (recorded.bytes() == replayed.bytes()) {
      evidence.equalBlocks(recorded.address(), replayed.address());
    } else if (recorded.bytes() > replayed.bytes()) {
      evidence.tooShort(replayed.address(), replayed.bytes(), sizes.roundedBytes(requestedBytes));
    }
  }

  /** A request that failed; when the replay serves it, the block is freed again. */
  private void fail(int event) {
    boolean keptCache = !script.containsRelease();
    prepareRequest(event);
    device.fill();
    // Without a release, something kept the cache: a graph capture, or nothing was releasable.
    if (keptCache) {
      allocator.memoryPools().beginCapture();
    }
    long handle = request(event);
    if (keptCache) {
      allocator.memoryPools().endCapture();
    }
    device.unfill();
    script.end();
    if (handle != 0) {
      servedFailures++;
      allocator.free(handle);
    }
  }

  /** The handle of a new block, or 0 if the request fails or is impossible. */
  private long request(int event) {
    long bytes = trace.bytes(event);
    if (bytes <= 0 || bytes > MAX_REQUEST_BYTES) {
      contradictions += trace.action(event) == TraceAction.ALLOC ? 1 : 0;
      return 0;
    }
    return pools.within(
        event,
        () -> {
          try {
            return allocator.allocate(bytes, streams.of(trace.stream(event)));
          } catch (OutOfDeviceMemoryException failed) {
            return 0L;
          }
        });
  }

  /** Lets frees complete, and empties the cache, as the recording did before this request. */
  private void prepareRequest(int event) {
    if (!script.containsRelease()) {
      completeAll();
      return;
    }
    boolean acquiresAfterwards =
        trace.action(event) == TraceAction.OOM || !script.endsWithRelease();
    if (isCutOff
        || !acquiresAfterwards
        || !DelayedFrees.haveSameStack(trace, script.next(), event)) {
      emptyCacheAsRecorded();
      completeAll();
    } else if (!waiting.isEmpty()) {
      // Some frees still wait, so the allocator did not wait for all: these completed before.
      completeAll();
    }
    // Otherwise it waited for all after its search, which found nothing either way.
    pools.releaseOwnersOf(script.events());
  }

  /** Empties the cache if the recording has segment events that no request caused. */
  private void emptyCacheAsRecorded() {
    if (!script.containsRelease()) {
      return;
    }
    List<Integer> rest = script.removeAfterLastRelease();
    completeAll();
    pools.releaseOwnersOf(script.events());
    allocator.emptyCache();
    script.end();
    rest.forEach(script::expect);
  }

  // Frees --------------------------------------------------------------------------------------

  private void requestFree(int event) {
    emptyCacheAsRecorded();
    free(trace.address(event), delayed.completionOf(event));
  }

  /**
   * Frees a block.
   *
   * @param completion the event that completes the free; empty if it completes immediately
   */
  private void free(long address, OptionalInt completion) {
    Long handle = live.remove(address);
    if (handle == null) {
      contradictions++;
      return;
    }
    evidence.freed(address);
    if (completion.isPresent()) {
      allocator.recordStream(handle, delayed.streamFor(completion.getAsInt()));
      allocator.free(handle);
      waiting.put(address, device.streams().lastEvent());
    } else {
      allocator.free(handle);
    }
  }

  private void completeFree(int event) {
    Long waited = waiting.remove(trace.address(event));
    if (waited != null) {
      completed.add(waited);
    } else if (live.containsKey(trace.address(event))) {
      // Its request was not recorded.
      free(trace.address(event), OptionalInt.empty());
    }
  }

  private void completeAll() {
    for (long event : completed) {
      device.streams().complete(event);
      allocator.reportProgress(ScriptedStreams.streamOf(event));
    }
    completed.clear();
  }

  // Results ------------------------------------------------------------------------------------

  SegmentScript segments() {
    return script;
  }

  int placements() {
    return placements;
  }

  int reproducedPlacements() {
    return reproducedPlacements;
  }

  /** Requests that failed in the recording and that the replay served. */
  int servedFailures() {
    return servedFailures;
  }

  /** What was contradictory or could not be followed; for a page. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (endedAt >= 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              isTooLong
                  ? "The events from number %,d on were not replayed: it takes too long."
                  : "The events from number %,d on contradict the earlier ones and were not"
                      + " replayed.",
              endedAt));
    }
    note(notes, servedFailures, "%,d requests that failed in the recording are served.");
    note(notes, contradictions, "%,d events contradict others and were skipped.");
    note(notes, delayed.late(), "%,d frees complete later than in the recording.");
    return notes;
  }

  private static void note(List<String> notes, long count, String text) {
    if (count > 0) {
      notes.add(String.format(Locale.ROOT, text, count));
    }
  }
}
