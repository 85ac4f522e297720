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
 * The allocations and frees of a trace, decoded beforehand so that only the allocator is measured.
 * Other operations are left out. What the trace leaves allocated is freed at its end, so that it
 * can be run again and again.
 */
public final class BenchTrace {
  private static final int STEADY_PAIRS = 500_000;

  /** What to allocate, or 0 to free. */
  private long[] bytes = new long[1 << 16];

  private int[] stream = new int[1 << 16];

  /** Where the handle is kept; ids are renumbered so that they lie close together. */
  private int[] place = new int[1 << 16];

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
      throw new InputException(file + ": there is no allocation in it to measure.");
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
      throw new InputException(file + ": there is no operation in it.");
    }
    return operations;
  }

  private int decode(Path file) throws IOException {
    Map<Long, Integer> placeOf = new HashMap<>();
    Deque<Integer> freePlaces = new ArrayDeque<>();
    int places = 0;
    try (InputStream in = TraceInput.open(file)) {
      TraceLines lines = new TraceLines(in);
      while (lines.next()) {
        if (lines.isOperation("malloc")) {
          Integer free = freePlaces.poll();
          int at = free != null ? free : places++;
          placeOf.put(lines.number(1), at);
          add(lines.unsigned(2), lines.has(3) ? lines.small(3) : 0, at);
        } else if (lines.isOperation("free")) {
          Integer at = placeOf.remove(lines.number(1));
          if (at != null) {
            freePlaces.push(at);
            add(0, 0, at);
          }
        }
      }
    } catch (TraceLineException e) {
      throw e.in(file);
    }
    placeOf.values().forEach(at -> add(0, 0, at));
    return places;
  }

  private void add(long allocatedBytes, int onStream, int at) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
      stream = Arrays.copyOf(stream, 2 * size);
      place = Arrays.copyOf(place, 2 * size);
    }
    bytes[size] = allocatedBytes;
    stream[size] = onStream;
    place[size++] = at;
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
      long wanted = bytes[i];
      if (wanted > 0) {
        handles[place[i]] = allocator.allocate(wanted, stream[i]);
      } else {
        allocator.free(handles[place[i]]);
      }
    }
  }
}
