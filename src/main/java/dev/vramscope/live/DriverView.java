package dev.vramscope.live;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.ProcessMemory;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The use of a device's memory as its driver reports it, from the point of view of one hosted
 * allocator: the rows of the ledger that a snapshot cannot supply. The parts add up to the total;
 * {@code unexplainedBytes} is the inconsistency between the driver's values.
 *
 * @param device the name of the device
 * @param simulated whether there is no GPU: a simulated device or an emulated driver
 * @param exclusive whether the device is simulated for this allocator alone
 * @param totalBytes the memory of the device
 * @param freeBytes free memory according to the driver
 * @param reservedBytes reserved by this allocator
 * @param otherAllocatorsBytes reserved by other allocators of this service on the same device
 * @param process used by this process in total
 * @param outside of that, not reserved by an allocator: {@code context} and {@code rest}
 * @param context the driver's context, measured when the device was opened
 * @param rest used by libraries and other code in this process
 * @param otherProcesses used by other processes
 * @param unexplainedBytes the total minus all parts
 */
public record DriverView(
    String device,
    boolean simulated,
    boolean exclusive,
    long totalBytes,
    long freeBytes,
    long reservedBytes,
    long otherAllocatorsBytes,
    Part process,
    Part outside,
    Part context,
    Part rest,
    Part otherProcesses,
    long unexplainedBytes) {
  /** Bytes, or the reason why they are unknown; exactly one of the two is null. */
  public record Part(@Nullable Long bytes, @Nullable String unknown) {
    private static Part of(Optional<Long> bytes, String reason) {
      return new Part(bytes.orElse(null), bytes.isPresent() ? null : reason);
    }
  }

  private static final String SIMULATED = "a simulated device has no processes and no context";
  private static final String NO_PROCESSES = "the driver does not report memory per process";
  private static final String NO_CONTEXT =
      "the context was created before this service could measure it";

  /**
   * Queries the device.
   *
   * @param otherAllocatorsBytes reserved by other allocators of this service on the same device
   * @param context the size of the driver's context, if it could be measured
   * @throws dev.vramscope.device.DeviceException if the device does not respond
   */
  static DriverView of(
      HostedAllocator allocator, long otherAllocatorsBytes, Optional<Long> context) {
    Device device = allocator.device();
    DeviceMemory memory = device.memory();
    long totalBytes = memory.totalBytes();
    long freeBytes = memory.freeBytes();
    long reservedBytes = allocator.allocator().inspect().totals().reservedBytes();
    List<ProcessMemory> processes = device.processes();
    Optional<Long> self =
        processes.stream().filter(ProcessMemory::isSelf).map(ProcessMemory::usedBytes).findFirst();
    Optional<Long> others =
        self.map(
            _ ->
                processes.stream()
                    .filter(process -> !process.isSelf())
                    .mapToLong(ProcessMemory::usedBytes)
                    .sum());
    long heldBytes = reservedBytes + otherAllocatorsBytes;
    // The driver's values are read at different times and in different units: clamp at zero.
    Optional<Long> outside = self.map(bytes -> Math.max(0, bytes - heldBytes));
    Optional<Long> rest =
        outside.flatMap(bytes -> context.map(share -> Math.max(0, bytes - share)));
    String noProcesses = allocator.choice() instanceof DeviceChoice.Sim ? SIMULATED : NO_PROCESSES;
    long outsideBytes = rest.isPresent() ? context.orElse(0L) + rest.get() : outside.orElse(0L);
    long explainedBytes = freeBytes + heldBytes + outsideBytes + others.orElse(0L);
    return new DriverView(
        device.name(),
        device.isSimulated(),
        allocator.choice() instanceof DeviceChoice.Sim,
        totalBytes,
        freeBytes,
        reservedBytes,
        otherAllocatorsBytes,
        Part.of(self, noProcesses),
        Part.of(outside, noProcesses),
        Part.of(context, self.isPresent() ? NO_CONTEXT : noProcesses),
        Part.of(rest, self.isPresent() ? NO_CONTEXT : noProcesses),
        Part.of(others, noProcesses),
        totalBytes - explainedBytes);
  }

  /**
   * The device memory outside the allocator, for a ledger of a state with this many reserved bytes.
   * Free memory is that of the driver's view, less what the allocator reserved since. On an
   * exclusive device everything that the allocator has not reserved is free.
   */
  public Ledger.DeviceMemory deviceMemory(long reservedNow) {
    OptionalLong total = OptionalLong.of(totalBytes);
    if (exclusive) {
      OptionalLong none = OptionalLong.of(0);
      return new Ledger.DeviceMemory(total, OptionalLong.empty(), none, none);
    }
    OptionalLong outsideBytes =
        outside.bytes() == null
            ? OptionalLong.empty()
            : OptionalLong.of(outside.bytes() + otherAllocatorsBytes);
    OptionalLong processBytes =
        otherProcesses.bytes() == null
            ? OptionalLong.empty()
            : OptionalLong.of(otherProcesses.bytes());
    OptionalLong free = OptionalLong.of(freeBytes - (reservedNow - reservedBytes));
    return new Ledger.DeviceMemory(total, free, outsideBytes, processBytes);
  }
}
