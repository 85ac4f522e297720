package dev.vramscope.live;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.ProcessMemory;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a card's bytes are, as its driver tells, seen from one hosted allocator: the rows of the
 * ledger that no snapshot can fill. The parts add up to the total; {@code unexplainedBytes} is what
 * the driver's own answers differ by.
 *
 * @param device the card's name
 * @param simulated whether there is no real card, as with a simulated one and an emulated driver
 * @param totalBytes the card
 * @param freeBytes what the driver could still give
 * @param reservedBytes held by this allocator
 * @param otherAllocatorsBytes held by other allocators of this service on the same card
 * @param process held by this process, all in all
 * @param outside of that, held by no allocator: {@code context} and {@code rest}
 * @param context the driver's own share, measured when the card was opened
 * @param rest what libraries or others in this process hold
 * @param otherProcesses held by other processes
 * @param unexplainedBytes total less all parts
 */
public record DriverView(
    String device,
    boolean simulated,
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
  /** Bytes, or why they are not known; one of both is null. */
  public record Part(@Nullable Long bytes, @Nullable String unknown) {
    private static Part of(Optional<Long> bytes, String otherwise) {
      return new Part(bytes.orElse(null), bytes.isPresent() ? null : otherwise);
    }
  }

  private static final String SIMULATED = "a simulated card has no processes and no context";
  private static final String NO_PROCESSES = "the driver does not tell what each process holds";
  private static final String NO_CONTEXT =
      "the context was made before this service could ask for it";

  /**
   * Asks the card.
   *
   * @param otherAllocatorsBytes reserved by others of this service on the same card
   * @param context what the driver's context took, if it could be measured
   * @throws dev.vramscope.device.DeviceException if the card does not answer
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
    // The driver's answers are of different moments and units: nothing is less than nothing.
    Optional<Long> outside = self.map(bytes -> Math.max(0, bytes - heldBytes));
    Optional<Long> rest =
        outside.flatMap(bytes -> context.map(share -> Math.max(0, bytes - share)));
    String why = allocator.choice() instanceof DeviceChoice.Sim ? SIMULATED : NO_PROCESSES;
    long outsideBytes = rest.isPresent() ? context.orElse(0L) + rest.get() : outside.orElse(0L);
    long explainedBytes = freeBytes + heldBytes + outsideBytes + others.orElse(0L);
    return new DriverView(
        device.name(),
        device.isSimulated(),
        totalBytes,
        freeBytes,
        reservedBytes,
        otherAllocatorsBytes,
        Part.of(self, why),
        Part.of(outside, why),
        Part.of(context, self.isPresent() ? NO_CONTEXT : why),
        Part.of(rest, self.isPresent() ? NO_CONTEXT : why),
        Part.of(others, why),
        totalBytes - explainedBytes);
  }
}
