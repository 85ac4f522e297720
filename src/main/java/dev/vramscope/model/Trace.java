package dev.vramscope.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events of one device, oldest first, as columns:
 *
 * <pre>
 *   row    action  address  bytes  stream*  stack  time   pool*      side tables (few rows)
 *          byte    long     long   int      int    long   int        user metadata, compile context,
 *                                                                    unknown action names, OOMs
 *   * number in a list of the distinct streams / pools of this trace
 * </pre>
 *
 * Takes about 37 bytes of heap per row.
 */
public final class Trace {
  /** The time of an event without a recorded time. */
  public static final long NO_TIME = Long.MIN_VALUE;

  /** A trace without events. */
  public static final Trace EMPTY = new Builder().build();

  private static final int NO_POOL = -1;

  private final ByteColumn actions;
  private final LongColumn addresses;
  private final LongColumn bytes;
  private final IntColumn streams;
  private final IntColumn stacks;
  private final LongColumn times;
  private final IntColumn pools;
  private final List<Long> distinctStreams;
  private final List<PoolId> distinctPools;
  private final List<OomEvent> ooms;
  private final TextColumn userMetadata;
  private final TextColumn compileContexts;
  private final TextColumn otherActions;

  private Trace(Builder from) {
    actions = from.actions.build();
    addresses = from.addresses.build();
    bytes = from.bytes.build();
    streams = from.streams.build();
    stacks = from.stacks.build();
    times = from.times.build();
    pools = from.pools.build();
    distinctStreams = List.copyOf(from.distinctStreams);
    distinctPools = List.copyOf(from.distinctPools);
    ooms = from.ooms.values().stream().sorted((a, b) -> a.event() - b.event()).toList();
    userMetadata = from.userMetadata.build();
    compileContexts = from.compileContexts.build();
    otherActions = from.otherActions.build();
  }

  public int size() {
    return actions.size();
  }

  public boolean isEmpty() {
    return size() == 0;
  }

  public TraceAction action(int event) {
    return TraceAction.ofCode(actions.get(event));
  }

  /** Address of the block or segment, unsigned; 0 for events without one. */
  public long address(int event) {
    return addresses.get(event);
  }

  /** Requested bytes of an allocation or free; segment bytes of a segment event. */
  public long bytes(int event) {
    return bytes.get(event);
  }

  /** By how many bytes an event changes what the allocator holds; negative if it releases some. */
  public long reservedChange(int event) {
    TraceAction action = action(event);
    return action.acquires() ? bytes(event) : action.releases() ? -bytes(event) : 0;
  }

  public long stream(int event) {
    return distinctStreams.get(streams.get(event));
  }

  /** The number of an event's stream in {@link #distinctStreams}. */
  public int streamNumber(int event) {
    return streams.get(event);
  }

  /** The streams of this trace, in the order of their first event. */
  public List<Long> distinctStreams() {
    return distinctStreams;
  }

  /** The recorded pools, in the order of their first event. */
  public List<PoolId> distinctPools() {
    return distinctPools;
  }

  /** An id in the snapshot's {@link StackTable}; {@link StackTable#NONE} if none was recorded. */
  public int stack(int event) {
    return stacks.get(event);
  }

  /** Microseconds since 1970, or {@link #NO_TIME}. */
  public long timeMicros(int event) {
    return times.get(event);
  }

  /** The pool, or null if not recorded (before PyTorch 2.12). */
  public @Nullable PoolId pool(int event) {
    int number = pools.get(event);
    return number == NO_POOL ? null : distinctPools.get(number);
  }

  /** The failed requests, in event order. */
  public List<OomEvent> ooms() {
    return ooms;
  }

  public TextColumn userMetadata() {
    return userMetadata;
  }

  public TextColumn compileContexts() {
    return compileContexts;
  }

  /** The names in the file of events whose action is {@link TraceAction#OTHER}. */
  public TextColumn otherActions() {
    return otherActions;
  }

  /** One row as a record. */
  public TraceEvent event(int event) {
    return new TraceEvent(
        event,
        action(event),
        address(event),
        bytes(event),
        stream(event),
        stack(event),
        timeMicros(event),
        pool(event));
  }

  /** Heap bytes of the columns. */
  public long heapBytes() {
    return actions.heapBytes()
        + addresses.heapBytes()
        + bytes.heapBytes()
        + streams.heapBytes()
        + stacks.heapBytes()
        + times.heapBytes()
        + pools.heapBytes();
  }

  /**
   * Builds a trace: {@link #add} appends a row, and the setters change any row that was added. Not
   * thread-safe.
   */
  public static final class Builder {
    private static final long ROW_BYTES = 37;

    /** A stream, a pool or a failed request, and its entry in a hash table. */
    private static final long DISTINCT_BYTES = 100;

    private final ByteColumn.Builder actions = new ByteColumn.Builder();
    private final LongColumn.Builder addresses = new LongColumn.Builder();
    private final LongColumn.Builder bytes = new LongColumn.Builder();
    private final IntColumn.Builder streams = new IntColumn.Builder();
    private final IntColumn.Builder stacks = new IntColumn.Builder();
    private final LongColumn.Builder times = new LongColumn.Builder();
    private final IntColumn.Builder pools = new IntColumn.Builder();
    private final List<Long> distinctStreams = new ArrayList<>();
    private final Map<Long, Integer> streamNumbers = new HashMap<>();
    private final List<PoolId> distinctPools = new ArrayList<>();
    private final Map<PoolId, Integer> poolNumbers = new HashMap<>();
    private final Map<Integer, OomEvent> ooms = new HashMap<>();
    private final TextColumn.Builder userMetadata = new TextColumn.Builder();
    private final TextColumn.Builder compileContexts = new TextColumn.Builder();
    private final TextColumn.Builder otherActions = new TextColumn.Builder();
    private long lastStream;
    private int lastStreamNumber = -1;
    private int defaultStreamNumber = -1;
    private @Nullable PoolId lastPool;
    private int lastPoolNumber;

    public int size() {
      return actions.size();
    }

    /** About how much heap the rows take while they are built. */
    public long heapBytes() {
      return size() * ROW_BYTES
          + (distinctStreams.size() + distinctPools.size() + ooms.size()) * DISTINCT_BYTES;
    }

    /** Appends an event on stream 0 without stack, time and pool; returns its row. */
    public int add(TraceAction action, long address, long sizeBytes) {
      int row = actions.size();
      actions.add(action.code());
      addresses.add(address);
      bytes.add(sizeBytes);
      if (defaultStreamNumber < 0) {
        defaultStreamNumber = streamNumber(0);
      }
      streams.add(defaultStreamNumber);
      stacks.add(StackTable.NONE);
      times.add(NO_TIME);
      pools.add(NO_POOL);
      return row;
    }

    public void action(int row, TraceAction action) {
      actions.set(row, action.code());
    }

    public void address(int row, long address) {
      addresses.set(row, address);
    }

    public void bytes(int row, long sizeBytes) {
      bytes.set(row, sizeBytes);
    }

    public void stream(int row, long stream) {
      streams.set(row, streamNumber(stream));
    }

    public void stack(int row, int stack) {
      stacks.set(row, stack);
    }

    public void timeMicros(int row, long timeMicros) {
      times.set(row, timeMicros);
    }

    public void pool(int row, PoolId pool) {
      pools.set(row, poolNumber(pool));
    }

    private int poolNumber(PoolId pool) {
      if (!pool.equals(lastPool)) {
        lastPool = pool;
        lastPoolNumber =
            poolNumbers.computeIfAbsent(
                pool,
                _ -> {
                  distinctPools.add(pool);
                  return distinctPools.size() - 1;
                });
      }
      return lastPoolNumber;
    }

    /**
     * Appends the rows of another builder, which must not be used any more. Its side tables are
     * left out.
     */
    public void append(Builder rows) {
      if (rows.size() == 0) {
        return;
      }
      renumber(rows.streams, rows.distinctStreams.stream().mapToInt(this::streamNumber).toArray());
      renumber(rows.pools, rows.distinctPools.stream().mapToInt(this::poolNumber).toArray());
      actions.append(rows.actions);
      addresses.append(rows.addresses);
      bytes.append(rows.bytes);
      streams.append(rows.streams);
      stacks.append(rows.stacks);
      times.append(rows.times);
      pools.append(rows.pools);
    }

    private static void renumber(IntColumn.Builder column, int[] numbers) {
      boolean isSame = true;
      for (int i = 0; i < numbers.length; i++) {
        isSame &= numbers[i] == i;
      }
      for (int row = 0; !isSame && row < column.size(); row++) {
        int number = column.get(row);
        column.set(row, number == NO_POOL ? NO_POOL : numbers[number]);
      }
    }

    /** Records that the event at {@code row} is a failed request. */
    public void oom(int row, long requestedBytes, long deviceFreeBytes) {
      ooms.put(row, new OomEvent(row, requestedBytes, deviceFreeBytes));
    }

    /** Rows must come in ascending order, as in {@link TextColumn.Builder#put}. */
    public void userMetadata(int row, String text) {
      userMetadata.put(row, text);
    }

    /** Rows must come in ascending order, as in {@link TextColumn.Builder#put}. */
    public void compileContext(int row, String text) {
      compileContexts.put(row, text);
    }

    /** Rows must come in ascending order, as in {@link TextColumn.Builder#put}. */
    public void otherAction(int row, String torchName) {
      otherActions.put(row, torchName);
    }

    public TraceAction action(int row) {
      return TraceAction.ofCode(actions.get(row));
    }

    public long address(int row) {
      return addresses.get(row);
    }

    public long bytes(int row) {
      return bytes.get(row);
    }

    public Trace build() {
      return new Trace(this);
    }

    private int streamNumber(long stream) {
      if (lastStreamNumber < 0 || stream != lastStream) {
        lastStream = stream;
        lastStreamNumber =
            streamNumbers.computeIfAbsent(
                stream,
                _ -> {
                  distinctStreams.add(stream);
                  return distinctStreams.size() - 1;
                });
      }
      return lastStreamNumber;
    }
  }
}
