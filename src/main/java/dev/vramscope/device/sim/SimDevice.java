package dev.vramscope.device.sim;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.ProcessMemory;
import java.util.List;
import java.util.Locale;

/**
 * A simulated device whose streams advance only when {@link SimStreams} is called; {@link #timed}
 * creates one whose streams take real time.
 */
public final class SimDevice implements Device {
  /** The address of the first byte of plain memory. */
  public static final long MEMORY_BASE = 0x1000_0000_0000L;

  /** The address of the first reservation, 16 TiB above. */
  public static final long RESERVATION_BASE = MEMORY_BASE + (1L << 44);

  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final long TIB = 1L << 40;

  /** Addresses have 48 bits, as on a real device. */
  private static final long RESERVATION_SPACE_BYTES = (1L << 48) - RESERVATION_BASE;

  private final PhysicalMemory physical;
  private final FilledRanges filledRanges = new FilledRanges();
  private final SimMemory memory;
  private final SimVirtualMemory virtualMemory;
  private final SimStreams streams = new SimStreams();
  private final DeviceWork work = new SimWork(streams, filledRanges);
  private final SimHostMemory hostMemory = new SimHostMemory();
  private volatile List<ProcessMemory> processes = List.of();

  /**
   * An empty device.
   *
   * @param granularityBytes all allocations are multiples of this; a power of two
   */
  public SimDevice(long capacityBytes, long granularityBytes) {
    this(capacityBytes, granularityBytes, AddressPolicy.FIRST_FIT);
  }

  /** An empty device with an address policy. */
  public SimDevice(long capacityBytes, long granularityBytes, AddressPolicy policy) {
    if (capacityBytes <= 0 || Long.bitCount(granularityBytes) != 1) {
      throw new IllegalArgumentException(
          "A device needs a positive size and a granularity that is a power of two, got "
              + capacityBytes
              + " and "
              + granularityBytes);
    }
    physical = new PhysicalMemory(capacityBytes, granularityBytes);
    memory =
        new SimMemory(
            physical, policy.addresses(MEMORY_BASE, RESERVATION_BASE - MEMORY_BASE), filledRanges);
    virtualMemory =
        new SimVirtualMemory(
            physical, policy.addresses(RESERVATION_BASE, RESERVATION_SPACE_BYTES), filledRanges);
  }

  /** A device with a granularity of 2 MiB. */
  public static SimDevice ofBytes(long capacityBytes) {
    return new SimDevice(capacityBytes, 2L << 20);
  }

  /** A device with a granularity of 2 MiB whose streams take real time. */
  public static TimedSimDevice timed(long capacityBytes) {
    return new TimedSimDevice(ofBytes(capacityBytes), new TimedStreams());
  }

  @Override
  public int ordinal() {
    return 0;
  }

  @Override
  public String name() {
    return "simulated device of " + size(physical.capacityBytes());
  }

  private static String size(long bytes) {
    if (bytes % TIB == 0) {
      return bytes / TIB + " TiB";
    }
    if (bytes % GIB == 0) {
      return bytes / GIB + " GiB";
    }
    if (bytes % MIB == 0) {
      return bytes / MIB + " MiB";
    }
    return bytes >= GIB
        ? String.format(Locale.ROOT, "%.2f GiB", (double) bytes / GIB)
        : bytes + " bytes";
  }

  @Override
  public boolean isSimulated() {
    return true;
  }

  @Override
  public SimMemory memory() {
    return memory;
  }

  @Override
  public SimVirtualMemory virtualMemory() {
    return virtualMemory;
  }

  @Override
  public SimStreams streams() {
    return streams;
  }

  @Override
  public SimHostMemory hostMemory() {
    return hostMemory;
  }

  /** The effect of work is visible once its stream is advanced past it. */
  @Override
  public DeviceWork work() {
    return work;
  }

  FilledRanges filledRanges() {
    return filledRanges;
  }

  @Override
  public List<ProcessMemory> processes() {
    return processes;
  }

  /** Sets the processes that {@link #processes} returns. */
  public void setProcesses(List<ProcessMemory> processes) {
    this.processes = List.copyOf(processes);
  }

  /** Sets how much of the device other processes use. */
  public void setExternalBytes(long bytes) {
    physical.setExternalBytes(bytes);
  }

  /** Allocated bytes, both plain memory and pages. */
  public long usedBytes() {
    return physical.usedBytes();
  }

  /** Makes the next {@code count} requests for physical memory fail as out of memory. */
  public void failRequests(int count) {
    physical.failRequests(count);
  }
}
