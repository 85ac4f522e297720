package dev.vramscope.analysis.ledger;

import dev.vramscope.analysis.ledger.DeviceEvidence.Holders;
import dev.vramscope.analysis.ledger.DeviceEvidence.Size;
import dev.vramscope.evidence.ProcessUse;
import dev.vramscope.evidence.Quantity;
import dev.vramscope.model.ByteText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The memory outside an allocator, divided between this process and others by what a text says.
 * Known are the bytes of one side at most: the other one is the rest of the device, so that a
 * ledger adds up although the numbers of texts are rounded.
 *
 * @param thisProcessBytes outside the allocator, used by this process
 * @param otherBytes used by other processes
 * @param thisProcessSource how the number of this process was found; empty if nothing says it
 * @param othersSource how the number of other processes was found; empty if nothing says it
 */
record OutsideMemory(
    OptionalLong thisProcessBytes,
    OptionalLong otherBytes,
    String thisProcessSource,
    String othersSource) {
  static final OutsideMemory UNKNOWN =
      new OutsideMemory(OptionalLong.empty(), OptionalLong.empty(), "", "");

  private static final int MAX_LISTED = 4;

  /**
   * Divides the memory of a device.
   *
   * @param reserved by the allocator
   * @param free on the device
   */
  static OutsideMemory of(Holders holders, Size size, long reserved, long free) {
    long outside = Math.max(0, size.bytes() - reserved - free);
    Optional<Quantity> own =
        holders
            .thisProcess()
            .or(() -> onlyPossible(holders, size, reserved, free).map(ProcessUse::memory));
    String listed = listed(holders.processes());
    if (own.isPresent()) {
      String source =
          holders.source()
              + " has "
              + ByteText.of(own.get().bytes())
              + " for this process in all; less what the allocator had reserved";
      return new OutsideMemory(
          OptionalLong.of(Math.clamp(own.get().bytes() - reserved, 0, outside)),
          OptionalLong.empty(),
          source,
          holders.thisProcess().isPresent() && !holders.processes().isEmpty()
              ? "The rest of the device. " + holders.source() + " lists " + listed
              : "The rest of the device: neither free nor of this process");
    }
    // At the failure this process existed, so that it is one of those that are listed.
    if (holders.isAtFailure() || !holders.areAll()) {
      return UNKNOWN;
    }
    long others = holders.processes().stream().mapToLong(each -> each.memory().bytes()).sum();
    if (others > outside + slack(size)) {
      return UNKNOWN; // They did not hold as much when the request failed.
    }
    return new OutsideMemory(
        OptionalLong.empty(),
        OptionalLong.of(Math.min(others, outside)),
        "The rest of the device: the CUDA context, libraries, and what the driver keeps",
        holders.source()
            + " lists "
            + (holders.processes().isEmpty() ? "no process" : listed)
            + ", when it ran. Estimated for this moment");
  }

  /** The only process that would not have had room beside the allocator: it has the allocator. */
  private static Optional<ProcessUse> onlyPossible(
      Holders holders, Size size, long reserved, long free) {
    List<ProcessUse> tooLarge =
        holders.processes().stream()
            .filter(each -> each.memory().mostBytes() >= reserved)
            .filter(
                each ->
                    each.memory().leastBytes() + reserved + free > size.mostBytes() + slack(size))
            .toList();
    return tooLarge.size() == 1 ? Optional.of(tooLarge.getFirst()) : Optional.empty();
  }

  /** What a size may be short of. */
  private static long slack(Size size) {
    return size.mostBytes() - size.leastBytes();
  }

  private static String listed(List<ProcessUse> processes) {
    String first =
        processes.stream()
            .limit(MAX_LISTED)
            .map(
                each ->
                    "process "
                        + each.pid()
                        + (each.name().isEmpty() ? "" : " (" + each.name() + ")")
                        + " with "
                        + ByteText.of(each.memory().bytes()))
            .collect(Collectors.joining(", "));
    return processes.size() > MAX_LISTED
        ? first + String.format(Locale.ROOT, " and %,d more", processes.size() - MAX_LISTED)
        : first;
  }
}
