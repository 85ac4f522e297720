package dev.vramscope.live.feed;

import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Leads a replica on by what the ring brings, and makes it anew where that has a gap. Not
 * thread-safe.
 */
final class ReplicaUpdater {
  /** A frame's worth of events at a million a second. */
  private static final int RING_EVENTS = 1 << 15;

  private static final int FREE_REQUESTED = AllocatorEvent.FREE_REQUESTED.ordinal();
  private static final int FREE_COMPLETED = AllocatorEvent.FREE_COMPLETED.ordinal();

  private final RecordedAllocator allocator;
  private final FeedRing ring = new FeedRing(RING_EVENTS);
  private final FeedListener listener;
  private final PoolTable pools;
  private final SiteTable sites;
  private final AllocatorReplica replica;
  private final EventLog log = new EventLog();
  private long events;
  private long dropped;
  private long gaps;

  /** Nobody listened: what the replica shows was long ago, or never. */
  private boolean stale = true;

  private boolean resumed;

  ReplicaUpdater(RecordedAllocator allocator, Recorder recorder) {
    this.allocator = allocator;
    listener = new FeedListener(ring, recorder);
    pools = new PoolTable(allocator);
    sites = new SiteTable(recorder);
    replica = new AllocatorReplica(pools, sites);
  }

  void listen() {
    allocator.inspect().addListener(listener);
  }

  void stopListening() {
    allocator.inspect().removeListener(listener);
    stale = true;
  }

  /** Whether {@link #follow} would find anything. */
  boolean hasNews() {
    return stale || ring.end() != ring.begin() || ring.droppedCount() != dropped;
  }

  /**
   * Makes the next version from what happened since the last.
   *
   * @param millis the time of what is found
   */
  void follow(long millis) {
    replica.beginVersion();
    resumed = stale;
    boolean whole = ring.droppedCount() == dropped;
    boolean follows = !stale && whole;
    long end = ring.end();
    for (long number = ring.begin(); number < end; number++) {
      log(number, end, millis);
      follows = follows && replica.follow(ring, number);
    }
    ring.takeUntil(end);
    // What was dropped came after all that is in the ring by now, or before what is yet to come:
    // either way the replica cannot be led over it.
    if (!follows || ring.droppedCount() != dropped) {
      takeState(millis);
    }
  }

  private void takeState(long millis) {
    gaps += stale ? 0 : 1;
    List<SegmentView> state = new ArrayList<>();
    @Nullable LongToIntFunction[] contexts = new LongToIntFunction[1];
    listener.whileTakingState(() -> contexts[0] = allocator.visitSegmentsInContext(state::add));
    for (long number = ring.begin(); number < listener.stateEnd(); number++) {
      log(number, listener.stateEnd(), millis);
    }
    ring.takeUntil(listener.stateEnd());
    events += listener.stateDropped() - dropped;
    dropped = listener.stateDropped();
    LongToIntFunction known = contexts[0];
    replica.take(state, known == null ? _ -> Recorder.NO_CONTEXT : known);
    stale = false;
  }

  private void log(long number, long end, long millis) {
    int kind = ring.kind(number);
    if (kind >= FeedRing.WAITING) {
      return;
    }
    events++;
    boolean readable = EventLog.isRare(kind) || number >= end - EventLog.KEPT;
    if (!readable || (kind == FREE_COMPLETED && followsItsRequest(number))) {
      return;
    }
    log.add(
        new LoggedEvent(
            replica.version(),
            events,
            kind,
            ring.address(number),
            ring.bytes(number),
            ring.extra(number),
            ring.stream(number),
            pools.indexOf(ring.pool(number), replica.version()),
            sites.of(ring.context(number), replica.version()),
            millis));
  }

  /** Then both are one thing to a reader: the block was freed. */
  private boolean followsItsRequest(long number) {
    return number > ring.begin()
        && ring.kind(number - 1) == FREE_REQUESTED
        && ring.address(number - 1) == ring.address(number);
  }

  /** Where the curves were in this version. */
  CurvePoint point(long millis) {
    return replica.levels().point(replica.version(), millis, resumed);
  }

  AllocatorReplica replica() {
    return replica;
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

  /** Events so far, those included that found no room. */
  long eventCount() {
    return events;
  }

  /** Events that found no room. */
  long droppedCount() {
    return dropped;
  }

  /** How often the state had to be taken anew. */
  long gapCount() {
    return gaps;
  }
}
