package dev.vramscope.format.export;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A file of which one count is large and all others are small, as a pickle that is written without
 * being in memory. Its last event is a failed request.
 */
public final class LargeFile {
  /** What there are many of. */
  public enum Count {
    DEVICES,
    SEGMENTS,
    POOLS,
    STREAMS,
    /** Each segment has its own pool and its own stream. */
    POOLS_AND_STREAMS,
    EXPANDABLE_SEGMENTS,
    /** Expandable segments, each on its own stream. */
    EXPANDABLE_STREAMS,
    BLOCKS,
    /** Pools that requests were made in, without segments of theirs. */
    REQUESTED_POOLS,
    REQUESTED_STREAMS,
    /** Segments that are acquired in the trace, each in its own pool and on its own stream. */
    ACQUIRED_POOLS_AND_STREAMS,
    /** Blocks that wait for a stream until the end of the trace. */
    PENDING_FREES,
    STACKS,
    FRAMES,
    /** Frames of one stack. */
    STACK_FRAMES,
    SETTINGS,
    ANNOTATIONS,
    STEPS,
    CATEGORIES,
    METADATA,
    /** Events that share long texts, each of which the file has once. */
    EVENTS_WITH_SHARED_TEXTS,
    ACTIONS,
    FAILURES,
    EVENTS,
    LIVE_BLOCKS,
    /** Segments that are acquired and released. */
    RELEASES,
    FINDINGS,
    HOST_SEGMENTS,
    /** Of a device memory profile of JAX. */
    PROFILE_LOCATIONS,
    /** Processes in the text of a failure. */
    PROCESSES,
    /** Of a dump of the BFC allocator. */
    BFC_CHUNKS,
    /** Of a log of RMM. */
    RMM_RECORDS
  }

  static final long FIRST_ADDRESS = 0x7000_0000_0000L;
  private static final long SEGMENT_BYTES = 2L << 20;
  static final long FREE_BYTES = 100L << 20;
  private static final int FEW = 8;
  private static final String LONG_TEXT = "é, \"".repeat(100_000);

  @FunctionalInterface
  private interface Item {
    void write(int index) throws IOException;
  }

  private final PickleOutput out;
  private final Count count;
  private final int size;
  private long micros = 1_700_000_000_000_000L;

  private LargeFile(Count count, int size, OutputStream out) throws IOException {
    this.count = count;
    this.size = size;
    this.out = new PickleOutput(out);
  }

  /** Writes a file with this many of something. */
  public static void write(Count count, int size, OutputStream out) throws IOException {
    switch (count) {
      case PROFILE_LOCATIONS -> LargeProfile.write(size, out);
      case PROCESSES -> LargeText.writeProcesses(size, out);
      case BFC_CHUNKS -> LargeText.writeChunks(size, out);
      case RMM_RECORDS -> LargeText.writeRecords(size, out);
      default -> new LargeFile(count, size, out).write();
    }
  }

  private int number(Count of) {
    return count == of ? size : FEW;
  }

  private void write() throws IOException {
    out.emptyDict();
    out.mark();
    out.text("device_traces");
    list(count == Count.DEVICES ? size : 1, this::trace);
    out.text("segments");
    if (count == Count.BLOCKS) {
      list(1, _ -> manyBlocks());
    } else if (count == Count.DEVICES) {
      list(size, device -> segment(device, device));
    } else {
      list(segments(), index -> segment(0, index));
    }
    if (count == Count.HOST_SEGMENTS) {
      out.text("host_segments");
      list(size, index -> segment(-1, index));
    }
    out.text("allocator_settings");
    settings();
    out.text("external_annotations");
    annotations();
    if (count == Count.FINDINGS) {
      out.text("vramscope");
      findings();
    }
    out.setItems();
    out.stop();
  }

  private void list(int length, Item item) throws IOException {
    out.emptyList();
    for (int i = 0; i < length; i++) {
      if (i % PickleOutput.BATCH == 0) {
        out.mark();
      }
      item.write(i);
      if (i % PickleOutput.BATCH == PickleOutput.BATCH - 1 || i == length - 1) {
        out.appends();
      }
    }
  }

  // Segments -----------------------------------------------------------------------------------

  private int segments() {
    return switch (count) {
      case SEGMENTS,
          POOLS,
          STREAMS,
          POOLS_AND_STREAMS,
          EXPANDABLE_SEGMENTS,
          EXPANDABLE_STREAMS,
          ACQUIRED_POOLS_AND_STREAMS ->
          size;
      default -> FEW;
    };
  }

  private long address(int index) {
    return FIRST_ADDRESS + index * SEGMENT_BYTES;
  }

  private long stream(int index) {
    return switch (count) {
      case STREAMS,
          POOLS_AND_STREAMS,
          EXPANDABLE_STREAMS,
          REQUESTED_STREAMS,
          ACQUIRED_POOLS_AND_STREAMS ->
          index;
      default -> 0;
    };
  }

  private void pool(int index) throws IOException {
    boolean isOwn =
        switch (count) {
          case POOLS, POOLS_AND_STREAMS, REQUESTED_POOLS, ACQUIRED_POOLS_AND_STREAMS -> true;
          default -> false;
        };
    out.number(0);
    out.number(isOwn ? index : 0);
    out.pair();
  }

  private void segment(int device, int index) throws IOException {
    boolean isExpandable = count == Count.EXPANDABLE_SEGMENTS || count == Count.EXPANDABLE_STREAMS;
    // Every fourth segment is half in use, the others are cached.
    long usedBytes = index % 4 == 0 ? SEGMENT_BYTES / 2 : 0;
    // Expandable segments are not adjacent: each is a range of pages of its own.
    long start = address(isExpandable ? 2 * index : index);
    openSegment(device, index, start, SEGMENT_BYTES, isExpandable);
    list(
        usedBytes == 0 ? 1 : 2,
        block ->
            block(
                block == 0 ? start : start + usedBytes,
                block == 0 && usedBytes > 0 ? usedBytes : SEGMENT_BYTES - usedBytes,
                block == 0 && usedBytes > 0,
                index));
    out.setItems();
  }

  private void manyBlocks() throws IOException {
    openSegment(0, 0, FIRST_ADDRESS, size * 512L, false);
    list(size, block -> block(FIRST_ADDRESS + block * 512L, 512, block % 2 == 0, block));
    out.setItems();
  }

  private void openSegment(int device, int index, long start, long bytes, boolean isExpandable)
      throws IOException {
    out.emptyDict();
    out.mark();
    number("device", device);
    number("address", start);
    number("total_size", bytes);
    number("stream", stream(index));
    text("segment_type", "small");
    out.text("segment_pool_id");
    pool(index);
    out.text("is_expandable");
    out.bool(isExpandable);
    out.text("blocks");
  }

  private void block(long address, long bytes, boolean isAllocated, int index) throws IOException {
    out.emptyDict();
    out.mark();
    number("address", address);
    number("size", bytes);
    number("requested_size", isAllocated ? bytes : 0);
    text("state", isAllocated ? "active_allocated" : "inactive");
    out.text("frames");
    frames(index);
    out.setItems();
  }

  // Events -------------------------------------------------------------------------------------

  private void trace(int device) throws IOException {
    switch (count) {
      case ACQUIRED_POOLS_AND_STREAMS -> events(size, this::acquire, 3);
      case EVENTS,
          EVENTS_WITH_SHARED_TEXTS,
          STACKS,
          FRAMES,
          CATEGORIES,
          METADATA,
          REQUESTED_POOLS,
          REQUESTED_STREAMS ->
          events(size, this::allocateAndFree, 2);
      case PENDING_FREES -> events(size, this::freePending, 2);
      case LIVE_BLOCKS -> events(size, this::allocate, 1);
      case RELEASES -> events(size / 2, this::acquireAndRelease, 4);
      case ACTIONS -> events(size, this::unknownAction, 1);
      case STEPS -> events(size, this::step, 2);
      case FAILURES -> events(size, _ -> fail(), 1);
      default -> events(FEW, this::allocateAndFree, 2);
    }
  }

  private void events(int units, Item unit, int eventsOfUnit) throws IOException {
    out.emptyList();
    int perBatch = PickleOutput.BATCH / eventsOfUnit;
    for (int i = 0; i < units; i++) {
      if (i % perBatch == 0) {
        out.mark();
      }
      unit.write(i);
      if (i % perBatch == perBatch - 1) {
        out.appends();
      }
    }
    if (units % perBatch == 0) {
      out.mark();
    }
    fail();
    out.appends();
  }

  private void acquire(int index) throws IOException {
    event("segment_alloc", address(index), SEGMENT_BYTES, index);
    event("alloc", address(index), SEGMENT_BYTES / 2, index);
    if (index % 4 != 0) {
      event("free_requested", address(index), SEGMENT_BYTES / 2, index);
    }
  }

  private void allocateAndFree(int index) throws IOException {
    event("alloc", address(1), 1000, index);
    event("free_requested", address(1), 1000, index);
  }

  private void freePending(int index) throws IOException {
    event("alloc", address(1) + index * 512L, 512, index);
    event("free_requested", address(1) + index * 512L, 512, index);
    if (index == 0) {
      event("free_completed", address(1), 512, index);
    }
  }

  private void allocate(int index) throws IOException {
    event("alloc", address(100) + index * 512L, 512, index);
  }

  private void acquireAndRelease(int index) throws IOException {
    event("segment_alloc", address(10), SEGMENT_BYTES, index);
    event("alloc", address(10), 512, index);
    event("free_requested", address(10), 512, index);
    event("segment_free", address(10), SEGMENT_BYTES, index);
  }

  private void unknownAction(int index) throws IOException {
    event("action_" + index, address(1), 512, index);
  }

  private void step(int index) throws IOException {
    allocateAndFree(index);
    micros += 10;
  }

  private void fail() throws IOException {
    openEvent("oom", 1L << 30, 0);
    number("device_free", FREE_BYTES);
    out.setItems();
  }

  private void event(String action, long address, long bytes, int index) throws IOException {
    openEvent(action, bytes, index);
    number("addr", address);
    if (count == Count.CATEGORIES) {
      text("category", "category_" + index);
    }
    if (count == Count.METADATA) {
      text("user_metadata", "metadata_" + index);
      text("compile_context", "context_" + index);
    }
    if (count == Count.EVENTS_WITH_SHARED_TEXTS) {
      text("category", "c" + LONG_TEXT);
      text("user_metadata", "m" + LONG_TEXT);
      text("compile_context", "x" + LONG_TEXT);
    }
    out.setItems();
  }

  private void openEvent(String action, long bytes, int index) throws IOException {
    out.emptyDict();
    out.mark();
    text("action", action);
    number("size", bytes);
    number("stream", stream(index));
    number("time_us", micros++);
    out.text("pool_id");
    pool(index);
    out.text("frames");
    frames(index);
  }

  private void frames(int index) throws IOException {
    switch (count) {
      case STACKS -> {
        // 128 frames at three depths are two million stacks.
        out.emptyList();
        out.mark();
        frame(index & 127);
        frame(index >> 7 & 127);
        frame(index >> 14);
        out.appends();
      }
      case FRAMES -> list(1, _ -> frame(index));
      case STACK_FRAMES -> list(index == 0 ? size : 1, depth -> frame(depth % FEW));
      default -> list(1, _ -> frame(index % FEW));
    }
  }

  private void frame(int index) throws IOException {
    out.emptyDict();
    out.mark();
    text("filename", count == Count.EVENTS_WITH_SHARED_TEXTS ? LONG_TEXT : "train.py");
    number("line", index);
    text("name", count == Count.FRAMES ? "function_" + index : "function");
    out.setItems();
  }

  // The rest -----------------------------------------------------------------------------------

  private void settings() throws IOException {
    out.emptyDict();
    out.mark();
    text("PYTORCH_CUDA_ALLOC_CONF", "");
    out.setItems();
    for (int i = 0; i < (count == Count.SETTINGS ? size : 0); i++) {
      out.mark();
      number("setting_" + i, i);
      out.setItems();
    }
  }

  private void annotations() throws IOException {
    long start = 1_700_000_000_000_000L;
    list(
        number(Count.ANNOTATIONS) + number(Count.STEPS),
        index -> {
          out.emptyDict();
          out.mark();
          text("stage", index % 2 == 0 ? "START" : "END");
          text(
              "name",
              count == Count.STEPS ? "ProfilerStep#" + index / 2 : "annotation_" + index / 2);
          number("device", 0);
          number("time_us", start + (count == Count.STEPS ? 6L * index : index));
          out.setItems();
        });
  }

  private void findings() throws IOException {
    out.emptyDict();
    out.mark();
    out.text("findings");
    list(
        size,
        index -> {
          out.emptyDict();
          out.mark();
          text("severity", "warning");
          text("code", "finding-" + index);
          text("message", "Finding " + index + ".");
          out.setItems();
        });
    out.setItems();
  }

  private void number(String key, long value) throws IOException {
    out.text(key);
    out.number(value);
  }

  private void text(String key, String value) throws IOException {
    out.text(key);
    out.text(value);
  }
}
