package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.RestoredSegment;
import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.HostMemory;
import dev.vramscope.device.ProcessMemory;
import dev.vramscope.device.Streams;
import dev.vramscope.device.VirtualMemory;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A simulated device that answers as the recorded one did: it hands out the recorded segment
 * addresses, and is full where the recording released memory or a request failed. So a replay
 * depends neither on the device's size nor on what else was in its memory.
 *
 * <p>An event of a stream is done when the replay completes it, or when the allocator waits for it.
 */
final class ScriptedDevice implements Device {
  /** Addresses of the recording are below this; others are handed out from here. */
  static final long END_OF_RECORDED_ADDRESSES = 1L << 47;

  /** More than any device has, so that no limit is met that the recording did not meet. */
  static final long UNKNOWN_TOTAL_BYTES = 1L << 40;

  private static final long GRANULARITY_BYTES = 2L << 20;
  private static final long END_OF_ADDRESSES = 1L << 48;

  private final Trace trace;
  private final SegmentScript script;
  private final long totalBytes;
  private final Deque<Long> restoredAddresses = new ArrayDeque<>();
  private final ScriptedStreams streams = new ScriptedStreams();
  private final DeviceMemory memory = new Memory();
  private final VirtualMemory virtualMemory = new Pages();
  private long nextUnrecorded = END_OF_RECORDED_ADDRESSES;
  private boolean full;

  ScriptedDevice(Trace trace, SegmentScript script, long totalBytes) {
    this.trace = trace;
    this.script = script;
    this.totalBytes = totalBytes;
  }

  /** The next acquisitions get the addresses of these segments. */
  void restore(List<RestoredSegment> segments) {
    segments.forEach(segment -> restoredAddresses.add(segment.address()));
  }

  /** From now on, the device has no memory beyond what the script has. */
  void fill() {
    full = true;
  }

  /** Ends {@link #fill}. */
  void unfill() {
    full = false;
  }

  @Override
  public ScriptedStreams streams() {
    return streams;
  }

  @Override
  public DeviceMemory memory() {
    return memory;
  }

  @Override
  public VirtualMemory virtualMemory() {
    return virtualMemory;
  }

  @Override
  public int ordinal() {
    return 0;
  }

  @Override
  public String name() {
    return "device of a recording";
  }

  @Override
  public boolean isSimulated() {
    return true;
  }

  @Override
  public HostMemory hostMemory() {
    throw new UnsupportedOperationException("A recording has no host memory.");
  }

  @Override
  public DeviceWork work() {
    throw new UnsupportedOperationException("A recording has no work.");
  }

  @Override
  public List<ProcessMemory> processes() {
    return List.of();
  }

  /** Whether the device has memory where the recording has none of its own answer. */
  private boolean hasUnscriptedMemory() {
    return !full && !script.nextReleases();
  }

  private long unrecordedAddress(long bytes) {
    if (bytes > END_OF_ADDRESSES - nextUnrecorded) {
      return 0;
    }
    long address = nextUnrecorded;
    nextUnrecorded += Math.ceilDiv(bytes, GRANULARITY_BYTES) * GRANULARITY_BYTES;
    return address;
  }

  static boolean isRecordable(long address, long bytes) {
    return address > 0
        && address < END_OF_RECORDED_ADDRESSES
        && bytes > 0
        && bytes <= UNKNOWN_TOTAL_BYTES;
  }

  private final class Memory implements DeviceMemory {
    @Override
    public long totalBytes() {
      return totalBytes;
    }

    @Override
    public long freeBytes() {
      return 0;
    }

    @Override
    public long allocate(long bytes) {
      if (bytes > UNKNOWN_TOTAL_BYTES) {
        return 0;
      }
      if (!restoredAddresses.isEmpty()) {
        return restoredAddresses.removeFirst();
      }
      if (script.nextIs(TraceAction.SEGMENT_ALLOC) && trace.bytes(script.next()) == bytes) {
        long address = trace.address(script.next());
        return isRecordable(address, bytes) ? address : unrecordedAddress(bytes);
      }
      return hasUnscriptedMemory() ? unrecordedAddress(bytes) : 0;
    }

    @Override
    public void free(long address) {
      // The recording has the addresses that are reused.
    }
  }

  private final class Pages implements VirtualMemory {
    private long pages;

    @Override
    public long granularityBytes() {
      return GRANULARITY_BYTES;
    }

    @Override
    public long reserve(long bytes) {
      if (!restoredAddresses.isEmpty()) {
        return restoredAddresses.removeFirst();
      }
      if (script.nextIs(TraceAction.SEGMENT_MAP)
          && isRecordable(trace.address(script.next()), trace.bytes(script.next()))) {
        // A new segment is mapped from its start.
        return trace.address(script.next());
      }
      return unrecordedAddress(bytes);
    }

    @Override
    public void freeReservation(long address, long bytes) {
      // Addresses are not reused.
    }

    @Override
    public long createPage(long bytes) {
      return script.nextIs(TraceAction.SEGMENT_MAP) || hasUnscriptedMemory() ? ++pages : 0;
    }

    @Override
    public void map(long address, long bytes, long page) {
      // Pages have no contents.
    }

    @Override
    public void setAccess(long address, long bytes) {
      // Pages have no contents.
    }

    @Override
    public void unmap(long address, long bytes) {
      // Pages have no contents.
    }

    @Override
    public void releasePage(long page) {
      // The device is full where the recording says so.
    }
  }

  /** Streams whose events are done when the recording says so. */
  static final class ScriptedStreams implements Streams {
    private final Set<Long> done = new HashSet<>();
    private static final int STREAM_BITS = 16;

    private long events;
    private long lastEvent;

    /** The event that was recorded last: its number and its stream. */
    long lastEvent() {
      return lastEvent;
    }

    /** The stream that an event was recorded in. */
    static int streamOf(long event) {
      return (int) event & MAX_STREAM;
    }

    void complete(long event) {
      done.add(event);
    }

    @Override
    public int create() {
      throw new UnsupportedOperationException("A recording has its streams already.");
    }

    @Override
    public long recordEvent(int stream) {
      lastEvent = ++events << STREAM_BITS | stream;
      return lastEvent;
    }

    @Override
    public boolean isDone(long event) {
      return done.contains(event);
    }

    @Override
    public void synchronizeEvent(long event) {
      // The allocator waits for it only where the recorded one did.
    }

    @Override
    public void freeEvent(long event) {
      done.remove(event);
    }

    @Override
    public void synchronize(int stream) {
      // Nothing is queued.
    }

    @Override
    public void synchronizeAll() {
      // Nothing is queued.
    }
  }
}
