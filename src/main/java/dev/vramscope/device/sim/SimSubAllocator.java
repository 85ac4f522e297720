package dev.vramscope.device.sim;

import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A simulated sub-allocator: places allocations according to its {@link SubAllocatorSettings},
 * fails on request, and records its calls. It has addresses and sizes, but no data.
 */
public final class SimSubAllocator implements SubAllocator {
  /** The offset from the base at which {@link SubAllocatorSettings.Placement#DOWN} starts. */
  private static final long DOWNWARD_START = 1L << 40;

  /**
   * One call of {@link #allocate}.
   *
   * @param allocatedBytes 0 if it failed
   * @param address 0 if it failed
   */
  public record Attempt(long requestedBytes, long allocatedBytes, long address) {}

  /** One call of {@link #free}. */
  public record Release(long address, long bytes) {}

  /** Counts of calls, and the memory in use. */
  public record Counts(
      long calls, long failures, long frees, long bytesInUse, long peakBytesInUse, int live) {}

  private final SubAllocatorSettings settings;
  private final @Nullable DeviceMemory memory;
  private final TreeMap<Long, Long> live = new TreeMap<>();
  private final List<Attempt> attempts = new ArrayList<>();
  private final List<Release> releases = new ArrayList<>();
  private long capacityBytes;
  private long maxBlockBytes;
  private long up;
  private long down;
  private long calls;
  private long failures;
  private long frees;
  private long bytesInUse;
  private long peakBytesInUse;

  public SimSubAllocator(SubAllocatorSettings settings) {
    this(settings, null);
  }

  /** Allocates from a device's memory, which chooses the addresses. */
  public SimSubAllocator(SubAllocatorSettings settings, @Nullable DeviceMemory memory) {
    this.memory = memory;
    this.settings = settings;
    this.capacityBytes = settings.capacityBytes();
    this.maxBlockBytes = settings.maxBlockBytes();
    this.up = settings.base();
    this.down = settings.base() + DOWNWARD_START;
  }

  @Override
  public long allocate(long alignment, long bytes) {
    calls++;
    long rounded = roundUp(bytes, settings.granularityBytes());
    if (!canAllocate(bytes, rounded)) {
      failures++;
      attempts.add(new Attempt(bytes, 0, 0));
      return 0;
    }
    long address =
        place(
            rounded,
            settings.honoursRequestedAlignment()
                ? Math.max(settings.alignment(), alignment)
                : settings.alignment());
    live.put(address, rounded);
    bytesInUse += rounded;
    peakBytesInUse = Math.max(peakBytesInUse, bytesInUse);
    attempts.add(new Attempt(bytes, rounded, address));
    return address;
  }

  /** A negative size is an unsigned one of 2^63 or more, which no device has. */
  private boolean canAllocate(long bytes, long rounded) {
    return bytes > 0
        && rounded > 0
        && !settings.failingCalls().contains(calls)
        && (maxBlockBytes == 0 || rounded <= maxBlockBytes)
        && rounded <= capacityBytes - bytesInUse;
  }

  private long place(long bytes, long alignment) {
    if (memory != null) {
      return memory.allocate(bytes);
    }
    return switch (settings.placement()) {
      case BUMP -> above(bytes, alignment);
      case DOWN -> below(bytes, alignment);
      case FIRST_FIT -> firstFit(bytes, alignment);
    };
  }

  private long above(long bytes, long alignment) {
    long address = roundUp(up, alignment);
    up = address + bytes + settings.gapBytes();
    return address;
  }

  private long below(long bytes, long alignment) {
    long address = Math.floorDiv(down - bytes, alignment) * alignment;
    down = address - settings.gapBytes();
    return address;
  }

  private long firstFit(long bytes, long alignment) {
    long address = roundUp(settings.base(), alignment);
    for (Map.Entry<Long, Long> block : live.entrySet()) {
      if (address + bytes + settings.gapBytes() <= block.getKey()) {
        break;
      }
      long after = block.getKey() + block.getValue() + settings.gapBytes();
      address = Math.max(address, roundUp(after, alignment));
    }
    return address;
  }

  @Override
  public long bytesAt(long address) {
    Long bytes = live.get(address);
    if (bytes == null) {
      throw new IllegalArgumentException(
          "No memory is allocated at 0x" + Long.toHexString(address) + ".");
    }
    return bytes;
  }

  /** Frees every allocation that starts in the range. */
  @Override
  public void free(long address, long bytes) {
    frees++;
    SortedMap<Long, Long> freed = live.subMap(address, address + bytes);
    if (memory != null) {
      freed.keySet().forEach(memory::free);
    }
    freed.clear();
    bytesInUse -= bytes;
    releases.add(new Release(address, bytes));
  }

  @Override
  public boolean supportsCoalescing() {
    return settings.supportsCoalescing();
  }

  @Override
  public long freeBytes() {
    return Math.max(0, capacityBytes - bytesInUse);
  }

  public void setCapacityBytes(long bytes) {
    capacityBytes = bytes;
  }

  /** Sets the size above which later allocations are rejected; 0 for no limit. */
  public void setMaxBlockBytes(long bytes) {
    maxBlockBytes = bytes;
  }

  public Counts counts() {
    return new Counts(calls, failures, frees, bytesInUse, peakBytesInUse, live.size());
  }

  /** The attempts since the last call. */
  public List<Attempt> drainAttempts() {
    List<Attempt> drained = List.copyOf(attempts);
    attempts.clear();
    return drained;
  }

  /** The releases since the last call. */
  public List<Release> drainReleases() {
    List<Release> drained = List.copyOf(releases);
    releases.clear();
    return drained;
  }

  private static long roundUp(long value, long multiple) {
    long rest = value % multiple;
    return rest == 0 ? value : value - rest + multiple;
  }
}
