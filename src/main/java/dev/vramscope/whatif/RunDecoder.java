package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.analysis.lifetimes.AddressTable;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.lifetimes.RecordedReserve;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Finds the requests of clients in a trace. Between two of them lie their consequences: completed
 * frees, and segments that were acquired or released. A replay makes its own consequences, so only
 * what a client did is kept:
 *
 * <ul>
 *   <li>A free whose completion does not follow immediately waits for another stream. It completes
 *       at the recorded moment, unless the request before which it is recorded has waited for it.
 *   <li>Released segments are the consequence of a request that acquires memory when the device is
 *       full, or at any time under a {@code garbage_collection_threshold}. Otherwise the client has
 *       emptied the cache.
 *   <li>A private pool whose segments are released, and in which nothing is requested from then on,
 *       has no users any more. A pool in use releases segments too: its own requests make room.
 * </ul>
 */
final class RunDecoder {
  private static final int FREED = -1;

  /** A checked failure needs the whole state of the allocator, so that few of them are. */
  private static final int MOST_CHECKED_FAILURES = 200;

  /** The rows of all states that are made. */
  private static final int MOST_CHECKED_ROWS = 50_000_000;

  private final Trace trace;
  private final DeviceSnapshot device;
  private final SizeRules sizes;
  private final TieBreak tieBreak;
  private final Lifetimes lifetimes;
  private final Operations out;
  private final AddressTable slotOf;
  private final SideStreams sideStreams;
  private int nextOom;
  private final boolean recordsCompletions;
  private final boolean collectsGarbage;
  private final boolean roundsUp;
  private final RecordedReserve reserve;
  private final StreamNumbers streams;

  /** By the number of a stream in the trace: that in the replay. */
  private final int[] streamNumbers;

  private final Set<Long> pendingAtStart;

  /** The addresses of the blocks that were allocated before the recording, in this order. */
  private final List<Long> earlier = new ArrayList<>();

  /** By private pool: the event of its last request. */
  private final Map<PoolId, Integer> lastRequest = new HashMap<>();

  private final Set<PoolId> released = new HashSet<>();
  private final List<Integer> completions = new ArrayList<>();
  private long unknownFrees;
  private long overlaps;
  private int checkedFailures;
  private final int mostCheckedFailures;

  /** The events that request a free whose completion is recorded. */
  private final BitSet completed;

  RunDecoder(Snapshot snapshot, DeviceSnapshot device, Lifetimes lifetimes) {
    this.lifetimes = lifetimes;
    this.device = device;
    sizes = SizeRules.of(snapshot.settings());
    tieBreak = RecordedSettings.of(snapshot, device).tieBreaks().getFirst();
    trace = device.trace();
    streams = new StreamNumbers(device);
    ReplayLimits.DEFAULT.checkState(device);
    ReplayLimits.DEFAULT.checkStreams(streams.count());
    streamNumbers = trace.distinctStreams().stream().mapToInt(streams::of).toArray();
    out = new Operations(trace.size() / 2 + trace.size() / 8);
    slotOf = new AddressTable(trace.size() / 16);
    sideStreams = new SideStreams(streams.count());
    recordsCompletions = hasCompletions();
    collectsGarbage = snapshot.settings().filter(AllocatorSettings::collectsGarbage).isPresent();
    roundsUp = snapshot.settings().filter(AllocatorSettings::roundsUpPowersOfTwo).isPresent();
    reserve = new RecordedReserve(device);
    findLastRequests();
    pendingAtStart = DelayedFrees.requestedBefore(trace, lifetimes);
    completed = completed();
    mostCheckedFailures =
        Math.clamp(MOST_CHECKED_ROWS / (1 + device.rowCount()), 1, MOST_CHECKED_FAILURES);
  }

  private BitSet completed() {
    BitSet requests = new BitSet();
    AddressTable completes = new AddressTable(16);
    for (int event = trace.size() - 1; recordsCompletions && event >= 0; event--) {
      switch (trace.action(event)) {
        case FREE_COMPLETED -> completes.put(trace.address(event), 1);
        case FREE_REQUESTED -> requests.set(event, completes.get(trace.address(event)) > 0);
        case ALLOC -> completes.put(trace.address(event), -1);
        default -> {
          // Not about a block.
        }
      }
    }
    return requests;
  }

  private void findLastRequests() {
    for (int event = 0; event < trace.size(); event++) {
      PoolId pool = trace.pool(event);
      boolean isRequest =
          trace.action(event) == TraceAction.ALLOC || trace.action(event) == TraceAction.OOM;
      if (isRequest && pool != null && pool.isPrivate()) {
        lastRequest.put(pool, event);
      }
    }
  }

  /** Whether the producer distinguishes completed frees from requested ones. */
  private boolean hasCompletions() {
    for (int event = 0; event < trace.size(); event++) {
      if (trace.action(event) == TraceAction.FREE_COMPLETED) {
        return true;
      }
    }
    return device.segments().stream().anyMatch(segment -> segment.pendingFreeBytes() > 0);
  }

  RecordedRun decode() {
    allocateEarlier();
    int groupStart = 0;
    for (int event = 0; event < trace.size(); event++) {
      switch (trace.action(event)) {
        case ALLOC -> {
          beforeRequest(groupStart, event);
          allocate(event);
          addCompletions(event);
          groupStart = event + 1;
        }
        case OOM -> {
          beforeRequest(groupStart, event);
          fail(event, groupStart);
          addCompletions(event);
          groupStart = event + 1;
        }
        case FREE_REQUESTED -> {
          beforeOther(groupStart, event);
          boolean isImmediate = DelayedFrees.isCompletedNext(trace, event) || !recordsCompletions;
          free(event, isImmediate);
          if (DelayedFrees.isCompletedNext(trace, event)) {
            event++;
          }
          groupStart = event + 1;
        }
        default -> {
          // A consequence of a request, or not a matter of memory.
        }
      }
    }
    beforeOther(groupStart, trace.size());
    return new RecordedRun(out, trace.size(), notes(), earlier, tieBreak);
  }

  /** Blocks that were allocated before the recording began, in address order. */
  private void allocateEarlier() {
    IntStream.range(0, lifetimes.liveBeforeCount())
        .boxed()
        .sorted((a, b) -> Long.compareUnsigned(lifetimes.address(a), lifetimes.address(b)))
        .forEach(this::allocateEarlier);
  }

  private void allocateEarlier(int row) {
    int slot = out.takeSlot();
    slotOf.put(lifetimes.address(row), slot + 1);
    PoolId pool = lifetimes.pool(row);
    out.add(
        RecordedRun.ALLOCATE,
        slot,
        lifetimes.bytes(row),
        streams.ofOrDefault(lifetimes.stream(row)),
        pool == null ? PoolId.DEFAULT : pool,
        Lifetimes.BEFORE_RECORDING);
    earlier.add(lifetimes.address(row));
    if (pendingAtStart.contains(lifetimes.address(row))) {
      slotOf.put(lifetimes.address(row), FREED);
      waitForStream(lifetimes.address(row), slot, Lifetimes.BEFORE_RECORDING);
    }
  }

  /** The consequences before a request: its own, or those of an emptied cache. */
  private void beforeRequest(int from, int event) {
    long releasedBytes = 0;
    long acquiredBytes = 0;
    boolean isLastAcquired = trace.action(event) == TraceAction.OOM;
    for (int i = from; i < event; i++) {
      long change = trace.reservedChange(i);
      releasedBytes -= Math.min(0, change);
      acquiredBytes += Math.max(0, change);
      isLastAcquired |= change > 0;
    }
    boolean isRetry =
        releasedBytes > 0
            && isLastAcquired
            && (trace.action(event) == TraceAction.OOM
                || collectsGarbage
                || reserve.wouldExceedMost(acquiredBytes));
    if (releasedBytes > 0) {
      releasePools(from, event);
    }
    if (isRetry || trace.action(event) == TraceAction.OOM) {
      // The request has waited for these frees, so they did not serve it.
      collectCompletions(from, event);
    } else {
      if (releasedBytes > 0) {
        emptyCache(from, event);
      }
      collectCompletions(from, event);
      addCompletions(event);
    }
    reserve.add(acquiredBytes - releasedBytes);
  }

  /** The consequences before a free or the end: nobody asked for memory. */
  private void beforeOther(int from, int event) {
    boolean isReleased = false;
    for (int i = from; i < event; i++) {
      long change = trace.reservedChange(i);
      isReleased |= change < 0;
      reserve.add(change);
    }
    if (isReleased) {
      releasePools(from, event);
      emptyCache(from, event);
    }
    collectCompletions(from, event);
    addCompletions(Math.min(event, trace.size() - 1));
  }

  /** Private pools whose memory was released, and that are not used again, lost their users. */
  private void releasePools(int from, int to) {
    for (int i = from; i < to; i++) {
      PoolId pool = trace.pool(i);
      if (trace.reservedChange(i) < 0
          && pool != null
          && pool.isPrivate()
          && lastRequest.getOrDefault(pool, -1) < i
          && released.add(pool)) {
        out.add(RecordedRun.RELEASE_POOL, -1, 0, 0, pool, i);
      }
    }
  }

  private void emptyCache(int from, int to) {
    PoolId only = null;
    int first = -1;
    for (int i = from; i < to; i++) {
      if (trace.reservedChange(i) < 0) {
        PoolId pool = trace.pool(i);
        PoolId of = pool == null ? PoolId.DEFAULT : pool;
        only = only == null || only.equals(of) ? of : PoolId.DEFAULT;
        first = first < 0 ? i : first;
      }
    }
    if (only != null) {
      out.add(RecordedRun.EMPTY_CACHE, -1, 0, 0, only, first);
    }
  }

  private void collectCompletions(int from, int to) {
    for (int i = from; i < to; i++) {
      if (trace.action(i) == TraceAction.FREE_COMPLETED) {
        int side = sideStreams.completed(trace.address(i));
        if (side != SideStreams.NONE) {
          completions.add(side);
        }
      }
    }
  }

  private void addCompletions(int event) {
    for (int side : completions) {
      out.add(RecordedRun.COMPLETE, -1, 0, side, PoolId.DEFAULT, event);
      sideStreams.end(side);
    }
    completions.clear();
  }

  private void allocate(int event) {
    long address = trace.address(event);
    int live = slotOf.get(address);
    if (live > 0) {
      overlaps++;
      out.add(RecordedRun.FREE, live - 1, 0, 0, PoolId.DEFAULT, event);
      out.returnSlot(live - 1);
    }
    int slot = out.takeSlot();
    slotOf.put(address, slot + 1);
    PoolId pool = pool(event);
    out.add(RecordedRun.ALLOCATE, slot, trace.bytes(event), stream(event), pool, event);
  }

  private void fail(int event, int from) {
    long bytes = trace.bytes(event);
    while (nextOom < trace.ooms().size() && trace.ooms().get(nextOom).event() < event) {
      nextOom++;
    }
    if (nextOom < trace.ooms().size() && trace.ooms().get(nextOom).event() == event) {
      bytes = trace.ooms().get(nextOom).requestedBytes();
    }
    boolean isCaptured = pool(event).isPrivate() && hasKeptCache(from, event);
    out.add(
        isCaptured ? RecordedRun.FAIL_IN_CAPTURE : RecordedRun.FAIL,
        -1,
        bytes,
        stream(event),
        pool(event),
        event);
  }

  /**
   * Whether the cache was not emptied before a request failed, as it would have been outside the
   * capture of a graph: a pending free was not waited for, or a free segment was kept.
   */
  private boolean hasKeptCache(int from, int event) {
    for (int i = from; i < event; i++) {
      if (trace.reservedChange(i) < 0) {
        return false;
      }
    }
    if (sideStreams.waiting() > completions.size()) {
      return true;
    }
    if (++checkedFailures > mostCheckedFailures) {
      return false;
    }
    AllocatorState state = AllocatorState.at(device, lifetimes, sizes, event);
    for (Segment segment : state.segments()) {
      for (Block block : segment.blocks()) {
        if (!segment.pool().isPrivate()
            && block.state() == BlockState.INACTIVE
            && sizes.releasableBytes(segment, block) > 0) {
          return true;
        }
      }
    }
    return false;
  }

  private void free(int event, boolean isImmediate) {
    long address = trace.address(event);
    int live = slotOf.get(address);
    if (live <= 0) {
      unknownFrees++;
      return;
    }
    slotOf.put(address, FREED);
    if (isImmediate) {
      out.returnSlot(live - 1);
      out.add(RecordedRun.FREE, live - 1, 0, 0, PoolId.DEFAULT, event);
    } else {
      waitForStream(address, live - 1, event);
    }
  }

  /** Frees a block that another stream uses until the free completes. */
  private void waitForStream(long address, int slot, int event) {
    out.returnSlot(slot);
    int stream =
        sideStreams.waitFor(address, event == Lifetimes.BEFORE_RECORDING || completed.get(event));
    out.add(RecordedRun.FREE_PENDING, slot, 0, stream, PoolId.DEFAULT, event);
  }

  private int stream(int event) {
    return streamNumbers[trace.streamNumber(event)];
  }

  private PoolId pool(int event) {
    PoolId pool = trace.pool(event);
    return pool == null ? PoolId.DEFAULT : pool;
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (unknownFrees > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%,d frees are of blocks that were allocated before the recording began.",
              unknownFrees));
    }
    if (checkedFailures > mostCheckedFailures) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%,d failed requests in private pools are taken as made outside a capture.",
              checkedFailures - mostCheckedFailures));
    }
    if (roundsUp && !trace.ooms().isEmpty()) {
      notes.add(
          "The sizes of failed requests were recorded after roundup_power2_divisions; under other"
              + " settings these requests may be smaller.");
    }
    if (overlaps > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%,d allocations are at the address of a block that was not freed before.",
              overlaps));
    }
    return notes;
  }
}
