package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Snapshot;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a recording, decoded once so that many replays can run them. Immutable.
 *
 * <pre>
 *   operation   kind   slot      bytes       stream   pool     event
 *   ALLOCATE    byte   handle    requested   int      number   of the recording
 *   FREE        byte   handle
 *   ...         one row each, in the order of the recording
 * </pre>
 *
 * A slot holds the handle of one live block; slots are reused, so that a replay needs as many as
 * blocks are live at once. Takes 25 bytes of heap per operation.
 */
public final class RecordedRun {
  /** Allocates a block. */
  public static final byte ALLOCATE = 0;

  /** Frees a block that no other stream uses. */
  public static final byte FREE = 1;

  /** Frees a block that another stream uses until {@link #COMPLETE}. */
  public static final byte FREE_PENDING = 2;

  /** The other stream has finished with a freed block; {@code stream} is that of the free. */
  public static final byte COMPLETE = 3;

  /** A request that failed when it was recorded. */
  public static final byte FAIL = 4;

  /** The client emptied the cache; {@code pool} is the private pool, or the default for all. */
  public static final byte EMPTY_CACHE = 5;

  /** The last user of a private pool is gone. */
  public static final byte RELEASE_POOL = 6;

  /** A failed request, too: during the capture of a graph, which keeps the cache as it is. */
  public static final byte FAIL_IN_CAPTURE = 7;

  /** A step begins. */
  public static final byte STEP = 8;

  /** The step in which a request failed begins. */
  public static final byte FAILED_STEP = 9;

  private final byte[] kinds;
  private final int[] slots;
  private final long[] bytes;
  private final int[] streams;
  private final int[] pools;
  private final int[] events;
  private final List<PoolId> distinctPools;
  private final int operations;
  private final int slotCount;
  private final int streamCount;
  private final int eventCount;
  private final List<String> notes;
  private final PeakLive peakLive;

  /** The addresses of the blocks that the first requests allocate, before the recording. */
  private final List<Long> earlier;

  /** What the allocator held before the first event, if a replay can continue from it. */
  private final @Nullable KnownStart start;

  private final TieBreak tieBreak;

  RecordedRun(
      Operations from, int eventCount, List<String> notes, List<Long> earlier, TieBreak tieBreak) {
    this(
        from.kinds(),
        from.slots(),
        from.bytes(),
        from.streams(),
        from.pools(),
        from.events(),
        List.copyOf(from.distinctPools()),
        from.size(),
        from.slotCount(),
        from.streamCount(),
        eventCount,
        List.copyOf(notes),
        List.copyOf(earlier),
        /* start= */ null,
        tieBreak);
  }

  private RecordedRun(
      byte[] kinds,
      int[] slots,
      long[] bytes,
      int[] streams,
      int[] pools,
      int[] events,
      List<PoolId> distinctPools,
      int operations,
      int slotCount,
      int streamCount,
      int eventCount,
      List<String> notes,
      List<Long> earlier,
      @Nullable KnownStart start,
      TieBreak tieBreak) {
    this.kinds = kinds;
    this.slots = slots;
    this.bytes = bytes;
    this.streams = streams;
    this.pools = pools;
    this.events = events;
    this.distinctPools = distinctPools;
    this.operations = operations;
    this.slotCount = slotCount;
    this.streamCount = streamCount;
    this.eventCount = eventCount;
    this.notes = notes;
    this.earlier = earlier;
    this.start = start;
    this.tieBreak = tieBreak;
    peakLive = PeakLive.of(this);
  }

  /**
   * Decodes the trace of a device.
   *
   * @throws ReplayLimitException if it is too large to be replayed
   */
  public static RecordedRun of(Snapshot snapshot, DeviceSnapshot device) {
    return of(snapshot, device, Lifetimes.of(device));
  }

  /** The same, if the lifetimes are known already. */
  public static RecordedRun of(Snapshot snapshot, DeviceSnapshot device, Lifetimes lifetimes) {
    return new RunDecoder(snapshot, device, lifetimes).decode();
  }

  /** The number of operations that a replay runs. */
  public int operations() {
    return operations;
  }

  /** The number of events of the recording. */
  public int events() {
    return eventCount;
  }

  /** The memory that the run needs under any allocator. */
  public PeakLive peakLive() {
    return peakLive;
  }

  /** What the recording leaves open, one sentence each; empty if nothing. */
  public List<String> notes() {
    return notes;
  }

  /**
   * The same requests, continuing from what the allocator held when the recording began. Nothing
   * changes for a whole run.
   *
   * @param reproduction a replay from that state, which shows whether it is right
   */
  public RecordedRun continuing(Reproduction reproduction) {
    boolean isKnown = !reproduction.initial().isEmpty() && reproduction.fidelity().isExact();
    RecordedRun placed = placing(reproduction.fidelity().tieBreak());
    return isKnown
        ? placed.startingFrom(
            new KnownStart(reproduction.initial(), reproduction.settings().text()))
        : placed;
  }

  /** The same requests for an allocator that uses this one of several equal free blocks first. */
  public RecordedRun placing(TieBreak rule) {
    return with(bytes, start, rule);
  }

  /** The same operations with these sizes, after what the allocator held. */
  private RecordedRun with(long[] requestedBytes, @Nullable KnownStart other, TieBreak rule) {
    return new RecordedRun(
        kinds,
        slots,
        requestedBytes,
        streams,
        pools,
        events,
        distinctPools,
        operations,
        slotCount,
        streamCount,
        eventCount,
        notes,
        earlier,
        other,
        rule);
  }

  private RecordedRun startingFrom(@Nullable KnownStart knownStart) {
    return with(bytes, knownStart, tieBreak);
  }

  /** Which of several equal free blocks the recorded release uses first. */
  TieBreak tieBreak() {
    return tieBreak;
  }

  /** What the allocator held before the first event; null if it is not known, or was nothing. */
  @Nullable KnownStart start() {
    return start;
  }

  /** The recorded address of each block that was allocated before the recording, in this order. */
  List<Long> earlierAddresses() {
    return earlier;
  }

  /** Whether a freed block waited for another stream. */
  boolean hasPendingFrees() {
    for (int i = 0; i < operations; i++) {
      if (kinds[i] == FREE_PENDING) {
        return true;
      }
    }
    return false;
  }

  /** What an operation does, such as {@link #ALLOCATE}. */
  public byte kind(int operation) {
    return kinds[operation];
  }

  /** The slot of the block of an operation, or -1. */
  public int slot(int operation) {
    return slots[operation];
  }

  /** The requested bytes of an operation that allocates. */
  public long bytes(int operation) {
    return bytes[operation];
  }

  /** The number of the stream of an operation, counted from 0. */
  public int stream(int operation) {
    return streams[operation];
  }

  PoolId pool(int operation) {
    return distinctPools.get(pools[operation]);
  }

  /** The number of the pool of an operation; 0 is the default pool. */
  public int poolNumber(int operation) {
    return pools[operation];
  }

  List<PoolId> distinctPools() {
    return distinctPools;
  }

  PoolId poolOfNumber(int number) {
    return distinctPools.get(number);
  }

  /** The recorded event of an operation, or that before the recording. */
  public int event(int operation) {
    return events[operation];
  }

  /** Above the number of every slot. */
  public int slotCount() {
    return slotCount;
  }

  /** Above the number of every stream. */
  public int streamCount() {
    return streamCount;
  }

  /** The run up to an event of the recording, that event included. Shares the columns. */
  public RecordedRun until(int event) {
    return new RecordedRun(
        kinds,
        slots,
        bytes,
        streams,
        pools,
        events,
        distinctPools,
        operationsBefore(event + 1),
        slotCount,
        streamCount,
        Math.min(eventCount, event + 1),
        notes,
        earlier,
        start,
        tieBreak);
  }

  /** The run until a request that failed, which is served now, and what may follow it. */
  public RecordedRun continuedBy(ContinuedRun.Rest rest) {
    return new RecordedRun(
            ContinuedRun.of(this, rest),
            eventCount + rest.to() - rest.from(),
            notes,
            earlier,
            tieBreak)
        .startingFrom(start);
  }

  /** The requested bytes of the first operation of an event; 0 if it has none. */
  public long bytesAtEvent(int event) {
    int operation = operationsBefore(event);
    return operation < operations && events[operation] == event ? bytes[operation] : 0;
  }

  /** The recorded event that an event of {@link #continuedBy} repeats. */
  public int repeatedEvent(int event, ContinuedRun.Rest rest) {
    return event - eventCount + rest.from();
  }

  /** The same requests, all on one stream: no free waits for another stream. */
  public RecordedRun onOneStream() {
    byte[] changed = kinds.clone();
    for (int i = 0; i < operations; i++) {
      if (changed[i] == FREE_PENDING) {
        changed[i] = FREE;
      }
    }
    return new RecordedRun(
        changed,
        slots,
        bytes,
        new int[streams.length],
        pools,
        events,
        distinctPools,
        operations,
        slotCount,
        streamCount,
        eventCount,
        notes,
        earlier,
        /* start= */ null,
        tieBreak);
  }

  /**
   * The same requests with other sizes, from an allocator without memory. Shares the other columns.
   *
   * @param requestedBytes by operation; those of operations that do not allocate are not used
   */
  public RecordedRun withBytes(long[] requestedBytes) {
    if (requestedBytes.length < operations) {
      throw new IllegalArgumentException(
          requestedBytes.length + " sizes for " + operations + " operations");
    }
    return with(requestedBytes, /* other= */ null, tieBreak);
  }

  /**
   * The same requests with marks at the starts of steps, for {@link EmptyCache}.
   *
   * @param starts the first event of each step, ascending
   */
  public RecordedRun withSteps(int[] starts) {
    Operations marked = new Operations(operations + starts.length, this);
    int failedStep = failedStep(starts);
    int next = 0;
    for (int i = 0; i < operations; i++) {
      while (next < starts.length && starts[next] <= events[i]) {
        byte mark = next == failedStep ? FAILED_STEP : STEP;
        marked.add(mark, -1, 0, 0, PoolId.DEFAULT, starts[next++]);
      }
      marked.add(kinds[i], slots[i], bytes[i], streams[i], pool(i), events[i]);
    }
    return new RecordedRun(marked, eventCount, notes, earlier, tieBreak).startingFrom(start);
  }

  /** The step of the last recorded failure, or -1. */
  private int failedStep(int[] starts) {
    for (int i = operations - 1; i >= 0; i--) {
      if (kinds[i] == FAIL || kinds[i] == FAIL_IN_CAPTURE) {
        int at = Arrays.binarySearch(starts, events[i]);
        return at >= 0 ? at : -at - 2;
      }
    }
    return -1;
  }

  private int operationsBefore(int event) {
    int low = 0;
    int high = operations;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (events[middle] < event) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Heap bytes of the columns. */
  public long heapBytes() {
    return 25L * kinds.length;
  }
}
