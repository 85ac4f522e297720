package dev.vramscope.whatif;

import dev.vramscope.model.PoolId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The growing columns of a {@link RecordedRun}; see there. */
final class Operations {
  /** 1 EiB fails on every device; larger numbers, and negative ones, do too. */
  private static final long MOST_REQUESTED_BYTES = 1L << 60;

  private byte[] kinds;
  private int[] slots;
  private long[] bytes;
  private int[] streams;
  private int[] pools;
  private int[] events;
  private int size;
  private final Deque<Integer> freeSlots = new ArrayDeque<>();
  private int slotCount;
  private int streamCount = 1;
  private final List<PoolId> distinctPools = new ArrayList<>();
  private final Map<PoolId, Integer> poolNumbers = new HashMap<>();
  private PoolId lastPool = PoolId.DEFAULT;
  private int lastPoolNumber;

  Operations(int expected) {
    int capacity = Math.max(16, expected);
    kinds = new byte[capacity];
    slots = new int[capacity];
    bytes = new long[capacity];
    streams = new int[capacity];
    pools = new int[capacity];
    events = new int[capacity];
    poolNumber(PoolId.DEFAULT);
  }

  /** Empty columns with the pools, slots and streams of a run. */
  Operations(int expected, RecordedRun like) {
    this(expected);
    like.distinctPools().forEach(this::poolNumber);
    slotCount = like.slotCount();
    streamCount = like.streamCount();
  }

  void add(byte kind, int slot, long requestedBytes, int stream, PoolId pool, int event) {
    if (size == kinds.length) {
      ReplayLimits.DEFAULT.checkOperations(size + 1);
      int capacity = 2 * size;
      kinds = Arrays.copyOf(kinds, capacity);
      slots = Arrays.copyOf(slots, capacity);
      bytes = Arrays.copyOf(bytes, capacity);
      streams = Arrays.copyOf(streams, capacity);
      pools = Arrays.copyOf(pools, capacity);
      events = Arrays.copyOf(events, capacity);
    }
    kinds[size] = kind;
    slots[size] = slot;
    bytes[size] =
        Long.compareUnsigned(requestedBytes, MOST_REQUESTED_BYTES) > 0
            ? MOST_REQUESTED_BYTES
            : requestedBytes;
    streams[size] = stream;
    pools[size] = poolNumber(pool);
    events[size++] = event;
    if (stream >= streamCount) {
      ReplayLimits.DEFAULT.checkStreams(stream + 1);
      streamCount = stream + 1;
    }
  }

  int takeSlot() {
    Integer free = freeSlots.poll();
    return free != null ? free : slotCount++;
  }

  void returnSlot(int slot) {
    freeSlots.push(slot);
  }

  private int poolNumber(PoolId pool) {
    if (!distinctPools.isEmpty() && pool.equals(lastPool)) {
      return lastPoolNumber;
    }
    lastPool = pool;
    lastPoolNumber =
        poolNumbers.computeIfAbsent(
            pool,
            added -> {
              distinctPools.add(added);
              ReplayLimits.DEFAULT.checkPools(distinctPools.size() - 1);
              return distinctPools.size() - 1;
            });
    return lastPoolNumber;
  }

  int size() {
    return size;
  }

  byte[] kinds() {
    return kinds;
  }

  int[] slots() {
    return slots;
  }

  long[] bytes() {
    return bytes;
  }

  int[] streams() {
    return streams;
  }

  int[] pools() {
    return pools;
  }

  int[] events() {
    return events;
  }

  int slotCount() {
    return slotCount;
  }

  int streamCount() {
    return streamCount;
  }

  List<PoolId> distinctPools() {
    return distinctPools;
  }
}
