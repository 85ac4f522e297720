package dev.vramscope.replay;

import dev.vramscope.allocator.Allocator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The allocations and frees of a trace, decoded in advance so that only the allocator is measured.
 * Other operations are left out. Blocks that the trace does not free are freed at its end, so that
 * it can run repeatedly.
 */
public final class BenchTrace {
  private static final int STEADY_PAIRS = 500_000;

  /** The size to allocate, or 0 to free. */
  private long[] bytes = new long[1 << 16];

  private int[] stream = new int[1 << 16];

  /** The index of the handle in {@link #handles}; ids are renumbered to be dense. */
  private int[] slot = new int[1 << 16];

  private int size;
  private int pairs;
  private long[] handles = {};

  /**
   * Reads a trace.
   *
   * @throws InputException if the trace allocates nothing or is malformed
   */
  public static BenchTrace read(Path file) throws IOException {
    BenchTrace trace = new BenchTrace();
    trace.handles = new long[trace.decode(file)];
    if (trace.pairs == 0) {
      throw new InputException(file + ": the trace contains no allocation.");
    }
    return trace;
  }

  /** A block of one size that is allocated and freed repeatedly. */
  public static BenchTrace repeatedHit(long bytes) {
    BenchTrace trace = new BenchTrace();
    trace.handles = new long[1];
    for (int i = 0; i < STEADY_PAIRS; i++) {
      trace.add(bytes, 0, 0);
      trace.add(0, 0, 0);
    }
    return trace;
  }

  /** The number of operations in a trace, including those that {@link #run} leaves out. */
  public static long operationsIn(Path file) throws IOException {
    long operations = 0;
    try (InputStream in = TraceInput.open(file)) {
      for (TraceLines lines = new TraceLines(in); lines.next(); ) {
        operations++;
      }
    }
    if (operations == 0) {
      throw new InputException(file + ": the trace contains no operation.");
    }
    return operations;
  }

  private int decode(Path file) throws IOException {
    Map<Long, Integer> slotOf = new HashMap<>();
    Deque<Integer> freeSlots = new ArrayDeque<>();
    int slots = 0;
    try (InputStream in = TraceInput.open(file)) {
      TraceLines lines = new TraceLines(in);
      while (lines.next()) {
        if (lines.isOperation("malloc")) {
          Integer free = freeSlots.poll();
          int at = free != null ? free : slots++;
          slotOf.put(lines.number(1), at);
          add(lines.unsigned(2), lines.has(3) ? lines.small(3) : 0, at);
        } else if (lines.isOperation("free")) {
          Integer at = slotOf.remove(lines.number(1));
          if (at != null) {
            freeSlots.push(at);
            add(0, 0, at);
          }
        }
      }
    } catch (TraceLineException e) {
      throw e.in(file);
    }
    slotOf.values().forEach(at -> add(0, 0, at));
    return slots;
  }

  private void add(long allocatedBytes, int onStream, int at) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
      stream = Arrays.copyOf(stream, 2 * size);
      slot = Arrays.copyOf(slot, 2 * size);
    }
    bytes[size] = allocatedBytes;
    stream[size] = onStream;
    slot[size++] = at;
    pairs += allocatedBytes > 0 ? 1 : 0;
  }

  public int pairs() {
    return pairs;
  }

  public int operations() {
    return size;
  }

  public void run(Allocator allocator) {
    for (int i = 0; i < size; i++) {
      long requested = bytes[i];
      if (requested > 0) {
        handles[slot[i]] = allocator.allocate(requested, stream[i]);
      } else {
        allocator.free(handles[slot[i]]);
      }
    }
  }
}
