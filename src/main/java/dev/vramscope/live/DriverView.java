package dev.vramscope.live;

import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.ProcessMemory;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a card's bytes are, as its driver tells, seen from one hosted allocator: the rows of the
 * ledger that no snapshot can fill. The parts add up to the total; {@code unexplained} is what the
 * driver's own answers differ by.
 *
 * @param device the card's name
 * @param simulated whether there is no real card
 * @param total the card
 * @param free what the driver could still give
 * @param reserved held by this allocator
 * @param otherAllocators held by other allocators of this service on the same card
 * @param process held by this process, all in all
 * @param outside of that, held by no allocator: {@code context} and {@code rest}
 * @param context the driver's own share, measured when the card was opened
 * @param rest what libraries or others in this process hold
 * @param otherProcesses held by other processes
 * @param unexplained total less all parts
 */
public record DriverView(
    String device,
    boolean simulated,
    long total,
    long free,
    long reserved,
    long otherAllocators,
    Part process,
    Part outside,
    Part context,
    Part rest,
    Part otherProcesses,
    Part unexplained) {
  /** Bytes, or why they are not known; one of both is null. */
  public record Part(@Nullable Long bytes, @Nullable String unknown) {
    static Part of(long bytes) {
      return new Part(bytes, null);
    }

    static Part unknown(String reason) {
      return new Part(null, reason);
    }
  }

  private static final String SIMULATED = "a simulated card has no processes and no context";
  private static final String NO_PROCESSES = "the driver does not tell what each process holds";
  private static final String NO_CONTEXT =
      "the context was made before this service could ask for it";

  /**
   * Asks the card.
   *
   * @param otherAllocators reserved by others of this service on the same card
   * @param context what the driver's context took, if it could be measured
   * @throws dev.vramscope.device.DeviceException if the card does not answer
   */
  static DriverView of(HostedAllocator allocator, long otherAllocators, Optional<Long> context) {
    DeviceMemory memory = allocator.device().memory();
    long total = memory.totalBytes();
    long reserved = allocator.allocator().totals().reservedBytes();
    long free = memory.freeBytes();
    List<ProcessMemory> processes = allocator.device().processes();
    Optional<Long> self =
        processes.stream().filter(ProcessMemory::isSelf).map(ProcessMemory::usedBytes).findFirst();
    if (self.isEmpty()) {
      Part unknown = Part.unknown(allocator.device().isSimulated() ? SIMULATED : NO_PROCESSES);
      return new DriverView(
          allocator.device().name(),
          allocator.device().isSimulated(),
          total,
          free,
          reserved,
          otherAllocators,
          unknown,
          unknown,
          unknown,
          unknown,
          unknown,
          Part.of(total - free - reserved - otherAllocators));
    }
    long outside = self.get() - reserved - otherAllocators;
    long others =
        processes.stream().filter(p -> !p.isSelf()).mapToLong(ProcessMemory::usedBytes).sum();
    return new DriverView(
        allocator.device().name(),
        allocator.device().isSimulated(),
        total,
        free,
        reserved,
        otherAllocators,
        Part.of(self.get()),
        Part.of(outside),
        context.map(Part::of).orElseGet(() -> Part.unknown(NO_CONTEXT)),
        context.map(bytes -> Part.of(outside - bytes)).orElseGet(() -> Part.unknown(NO_CONTEXT)),
        Part.of(others),
        Part.of(total - free - self.get() - others));
  }
}
