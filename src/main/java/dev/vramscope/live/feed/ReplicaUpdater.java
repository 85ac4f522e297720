package dev.vramscope.live.feed;

import dev.vramscope.allocator.SegmentView;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.TraceAction;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Updates a replica with the events in the ring, and rebuilds it when events are missing. Not
 * thread-safe.
 */
final class ReplicaUpdater {
  /** The events of one frame at a rate of a million per second. */
  private static final int RING_EVENTS = 1 << 15;

  private final RecordedAllocator allocator;
  private final FeedRing ring = new FeedRing(RING_EVENTS);
  private final FeedListener listener;
  private final PoolTable pools;
  private final SiteTable sites;
  private final AllocatorReplica replica;
  private final ReplicaLedger ledger;
  private final EventLog log = new EventLog();
  private long nextEvent;
  private long dropped;
  private long gaps;

  /** Whether events were not received since the replica was last updated, or it was never built. */
  private boolean stale = true;

  private boolean resumed;

  ReplicaUpdater(RecordedAllocator allocator, Recorder recorder) {
    this.allocator = allocator;
    listener = new FeedListener(ring, recorder, allocator);
    pools = new PoolTable(allocator);
    sites = new SiteTable(recorder);
    replica = new AllocatorReplica(pools, sites);
    Map<String, String> settings = allocator.inspect().settings();
    Optional<AllocatorSettings> allocatorSettings =
        settings.isEmpty() ? Optional.empty() : Optional.of(new AllocatorSettings(settings));
    ledger = new ReplicaLedger(SizeRules.of(allocatorSettings), pools);
  }

  void listen() {
    allocator.inspect().addListener(listener);
  }

  void stopListening() {
    allocator.inspect().removeListener(listener);
    stale = true;
  }

  /** Whether {@link #update} would find changes. */
  boolean hasChanges() {
    return stale || ring.end() != ring.begin() || ring.droppedCount() != dropped;
  }

  /**
   * Applies the events since the last version and starts the next version.
   *
   * @param millis the time of the update
   */
  void update(long millis) {
    replica.beginVersion();
    resumed = stale;
    boolean complete = ring.droppedCount() == dropped;
    boolean applied = !stale && complete;
    long end = ring.end();
    for (long number = ring.begin(); number < end; number++) {
      log(number, end, millis);
      applied = applied && replica.apply(ring, number);
    }
    ring.removeBefore(end);
    // Dropped events lie between those in the ring and later ones, so the replica is incomplete.
    if (!applied || ring.droppedCount() != dropped) {
      captureState(millis);
    }
  }

  private void captureState(long millis) {
    gaps += stale ? 0 : 1;
    List<SegmentView> state = new ArrayList<>();
    @Nullable LongToIntFunction[] contexts = new LongToIntFunction[1];
    listener.captureState(() -> contexts[0] = allocator.visitSegmentsInContext(state::add));
    for (long number = ring.begin(); number < listener.stateEnd(); number++) {
      log(number, listener.stateEnd(), millis);
    }
    ring.removeBefore(listener.stateEnd());
    nextEvent = listener.stateNextEvent();
    dropped = listener.stateDropped();
    LongToIntFunction contextOf = contexts[0];
    replica.reset(state, contextOf == null ? _ -> Recorder.NO_CONTEXT : contextOf);
    stale = false;
  }

  private void log(long number, long end, long millis) {
    int kind = ring.kind(number);
    if (kind >= FeedRing.FREE_PENDING) {
      return;
    }
    nextEvent = ring.event(number) + 1;
    TraceAction action = TraceAction.ofCode((byte) kind);
    boolean logged = EventLog.isRare(action) || number >= end - EventLog.KEPT;
    if (!logged || (action == TraceAction.FREE_COMPLETED && immediatelyFollowsRequest(number))) {
      return;
    }
    log.add(
        new LoggedEvent(
            replica.version(),
            ring.event(number),
            action,
            ring.address(number),
            ring.bytes(number),
            ring.extra(number),
            ring.stream(number),
            pools.indexOf(ring.pool(number), replica.version()),
            sites.of(ring.context(number), replica.version()),
            millis));
  }

  /** Such a pair is shown as one line: the block was freed. */
  private boolean immediatelyFollowsRequest(long number) {
    return number > ring.begin()
        && ring.kind(number - 1) == TraceAction.FREE_REQUESTED.code()
        && ring.address(number - 1) == ring.address(number);
  }

  /** The point of the curves in this version. */
  CurvePoint point(long millis) {
    return replica.levels().point(replica.version(), millis, resumed);
  }

  AllocatorReplica replica() {
    return replica;
  }

  /** The bytes of each item of the ledger in this version. */
  long[] ledgerBytes() {
    return ledger.bytes(replica);
  }

  PoolTable pools() {
    return pools;
  }

  SiteTable sites() {
    return sites;
  }

  EventLog log() {
    return log;
  }

  /** The number of the next event, from 0: the events so far, including dropped ones. */
  long nextEvent() {
    return nextEvent;
  }

  /** Events that were dropped because the ring was full. */
  long droppedCount() {
    return dropped;
  }

  /** How often the replica was rebuilt because events were missing. */
  long gapCount() {
    return gaps;
  }
}
