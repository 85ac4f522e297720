package dev.vramscope.whatif;

import dev.vramscope.analysis.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Snapshot;
import java.util.List;

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
  static final byte ALLOCATE = 0;

  /** Frees a block that no other stream uses. */
  static final byte FREE = 1;

  /** Frees a block that another stream uses until {@link #COMPLETE}. */
  static final byte FREE_PENDING = 2;

  /** The other stream has finished with a freed block; {@code stream} is that of the free. */
  static final byte COMPLETE = 3;

  /** A request that failed when it was recorded. */
  static final byte FAIL = 4;

  /** The client emptied the cache; {@code pool} is the private pool, or the default for all. */
  static final byte EMPTY_CACHE = 5;

  /** The last user of a private pool is gone. */
  static final byte RELEASE_POOL = 6;

  /** The same during the capture of a graph, which keeps the cache from being emptied. */
  static final byte FAIL_IN_CAPTURE = 7;

  private final byte[] kinds;
  private final int[] slots;
  private final long[] bytes;
  private final int[] streams;
  private final int[] pools;
  private final int[] events;
  private final List<PoolId> distinctPools;
  private final int operations;
  private final int slotCount;
  private final int eventCount;
  private final List<String> notes;

  RecordedRun(Operations from, int operations, int eventCount, List<String> notes) {
    kinds = from.kinds();
    slots = from.slots();
    bytes = from.bytes();
    streams = from.streams();
    pools = from.pools();
    events = from.events();
    distinctPools = List.copyOf(from.distinctPools());
    slotCount = from.slotCount();
    this.operations = operations;
    this.eventCount = eventCount;
    this.notes = List.copyOf(notes);
  }

  /** Decodes the trace of a device. */
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

  /** What the recording leaves open, one sentence each; empty if nothing. */
  public List<String> notes() {
    return notes;
  }

  byte kind(int operation) {
    return kinds[operation];
  }

  int slot(int operation) {
    return slots[operation];
  }

  long bytes(int operation) {
    return bytes[operation];
  }

  int stream(int operation) {
    return streams[operation];
  }

  PoolId pool(int operation) {
    return distinctPools.get(pools[operation]);
  }

  /** The number of the pool of an operation; 0 is the default pool. */
  int poolNumber(int operation) {
    return pools[operation];
  }

  PoolId poolOfNumber(int number) {
    return distinctPools.get(number);
  }

  int event(int operation) {
    return events[operation];
  }

  int slotCount() {
    return slotCount;
  }

  /** The number of operations before an event of the recording, that event included. */
  int operationsUntil(int event) {
    int low = 0;
    int high = operations;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (events[middle] <= event) {
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
