package dev.vramscope.device.sim;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceWork;
import dev.vramscope.device.ProcessMemory;
import java.util.List;

/**
 * A simulated card whose streams are moved by hand; {@link #live} makes one whose streams take
 * time.
 */
public final class SimDevice implements Device {
  /** The address of the first byte of plain memory. */
  public static final long MEMORY_BASE = 0x1000_0000_0000L;

  /** The address of the first reservation, 16 TiB above. */
  public static final long RESERVATION_BASE = MEMORY_BASE + (1L << 44);

  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final long TIB = 1L << 40;
  private static final long RESERVATION_SPACE_BYTES = 1L << 46;

  private final PhysicalMemory physical;
  private final Stamps stamps = new Stamps();
  private final SimMemory memory;
  private final SimVirtualMemory virtualMemory;
  private final SimStreams streams = new SimStreams();
  private final DeviceWork work = new SimWork(streams, stamps);
  private final SimHostMemory hostMemory = new SimHostMemory();
  private volatile List<ProcessMemory> processes = List.of();

  /**
   * A card without anything on it.
   *
   * @param capacityBytes size of the card
   * @param granularityBytes everything is handed out in multiples of this; a power of two
   */
  public SimDevice(long capacityBytes, long granularityBytes) {
    this(capacityBytes, granularityBytes, AddressPolicy.FIRST_FIT);
  }

  /** The same, with addresses as the policy says. */
  public SimDevice(long capacityBytes, long granularityBytes, AddressPolicy policy) {
    if (capacityBytes <= 0 || Long.bitCount(granularityBytes) != 1) {
      throw new IllegalArgumentException(
          "A card needs a positive size and a granularity that is a power of two, got "
              + capacityBytes
              + " and "
              + granularityBytes);
    }
    physical = new PhysicalMemory(capacityBytes, granularityBytes);
    memory =
        new SimMemory(
            physical,
            new AddressSpace(MEMORY_BASE, RESERVATION_BASE - MEMORY_BASE, policy),
            stamps);
    virtualMemory =
        new SimVirtualMemory(
            physical, new AddressSpace(RESERVATION_BASE, RESERVATION_SPACE_BYTES, policy), stamps);
  }

  /** A card with pages of 2 MiB. */
  public static SimDevice ofBytes(long capacityBytes) {
    return new SimDevice(capacityBytes, 2L << 20);
  }

  /** A card with pages of 2 MiB whose streams take time by themselves. */
  public static LiveSimDevice live(long capacityBytes) {
    return new LiveSimDevice(ofBytes(capacityBytes));
  }

  @Override
  public int ordinal() {
    return 0;
  }

  @Override
  public String name() {
    return "simulated card of " + size(physical.capacityBytes());
  }

  private static String size(long bytes) {
    if (bytes % TIB == 0) {
      return bytes / TIB + " TiB";
    }
    if (bytes % GIB == 0) {
      return bytes / GIB + " GiB";
    }
    return bytes % MIB == 0 ? bytes / MIB + " MiB" : bytes + " bytes";
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

  /** What a stream has done is seen once the stream is moved past it. */
  @Override
  public DeviceWork work() {
    return work;
  }

  Stamps stamps() {
    return stamps;
  }

  @Override
  public List<ProcessMemory> processes() {
    return processes;
  }

  /** Sets what the driver answers when asked for processes. */
  public void setProcesses(List<ProcessMemory> processes) {
    this.processes = List.copyOf(processes);
  }

  /** Sets how much of the card other processes hold. */
  public void setExternalBytes(long bytes) {
    physical.setExternalBytes(bytes);
  }

  /** Bytes handed out and not yet returned, whichever way they were taken. */
  public long usedBytes() {
    return physical.usedBytes();
  }

  /** Lets the next {@code count} requests for physical memory fail as if the card were full. */
  public void failRequests(int count) {
    physical.failRequests(count);
  }
}
