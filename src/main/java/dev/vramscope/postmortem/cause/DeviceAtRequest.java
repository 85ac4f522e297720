package dev.vramscope.postmortem.cause;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.model.AllocatorFacts;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The device around an allocator at a request, as far as it is known.
 *
 * @param reservedBytes held by the allocator
 * @param freeBytes free on the device
 * @param totalBytes the size of the device
 * @param leastTotalBytes the size of the device is at least this
 * @param othersBytes used by other processes, and by this process outside the allocator; of a
 *     direct allocator, without what the driver may have rounded its blocks up by
 * @param isLimited whether the allocator is known to have a limit below the size of the device
 * @param limitBytes the most memory that the allocator may hold, if it has a limit
 */
public record DeviceAtRequest(
    long reservedBytes,
    OptionalLong freeBytes,
    OptionalLong totalBytes,
    long leastTotalBytes,
    OptionalLong othersBytes,
    boolean isLimited,
    OptionalLong limitBytes) {
  private static final Pattern FRACTION =
      Pattern.compile("per_process_memory_fraction\\s*:\\s*(0?\\.\\d+|0)\\b");

  /**
   * The device of a ledger.
   *
   * @param heldBytes what the driver may have allocated for what the allocator reserved
   * @param saidLimitBytes the limit that a text says; that of facts and settings comes first
   */
  public static DeviceAtRequest of(
      Ledger ledger,
      AllocatorFacts facts,
      String configuration,
      long heldBytes,
      OptionalLong saidLimitBytes) {
    OptionalLong free = bytesIfKnown(ledger.amount(Item.DEVICE_FREE));
    OptionalLong total = bytesIfKnown(ledger.total());
    long reserved = ledger.reservedBytes();
    long least =
        switch (ledger.total()) {
          case Amount.Known(long bytes) -> bytes;
          case Amount.AtLeast(long bytes, String _) -> bytes;
          case Amount.Unknown _ -> reserved + free.orElse(0);
        };
    OptionalLong others =
        total.isPresent() && free.isPresent()
            ? othersBytes(total.getAsLong() - free.getAsLong(), reserved, heldBytes)
            : OptionalLong.empty();
    OptionalLong limit = facts.limitBytes();
    Optional<Double> fraction = fraction(configuration);
    if (limit.isEmpty() && fraction.isPresent() && total.isPresent()) {
      // As PyTorch rounds it.
      limit = OptionalLong.of((long) Math.floor(fraction.get() * total.getAsLong() + 0.5));
    }
    if (limit.isEmpty()) {
      limit = saidLimitBytes;
    }
    return new DeviceAtRequest(
        reserved, free, total, least, others, limit.isPresent() || fraction.isPresent(), limit);
  }

  /** The fraction of the device that the settings allow, if it is less than all. */
  private static Optional<Double> fraction(String configuration) {
    return Optional.of(FRACTION.matcher(configuration))
        .filter(Matcher::find)
        .map(matcher -> Double.parseDouble(matcher.group(1)));
  }

  private static OptionalLong bytesIfKnown(Amount amount) {
    return amount instanceof Amount.Known(long bytes)
        ? OptionalLong.of(bytes)
        : OptionalLong.empty();
  }

  /** What is used by others; numbers that contradict each other give none. */
  private static OptionalLong othersBytes(long usedBytes, long reserved, long heldBytes) {
    return usedBytes < reserved
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, usedBytes - heldBytes));
  }

  /**
   * What the driver may have rounded the blocks of a direct allocator up by: neither free nor
   * reserved, and not known to be held by others. 0 if the size or the free memory is unknown.
   */
  long driverRoundingBytes() {
    return totalBytes.isPresent() && freeBytes.isPresent() && othersBytes.isPresent()
        ? totalBytes.getAsLong() - freeBytes.getAsLong() - reservedBytes - othersBytes.getAsLong()
        : 0;
  }

  /** Whether the allocator may hold this much more under its limit, if that is known. */
  boolean isWithinLimit(long moreBytes) {
    return limitBytes.isEmpty() || reservedBytes + moreBytes <= limitBytes.getAsLong();
  }

  /** The most that the allocator may still acquire under its limit; unlimited if not known. */
  long mostUnderLimit() {
    return limitBytes.isEmpty()
        ? Long.MAX_VALUE
        : Math.max(0, limitBytes.getAsLong() - reservedBytes);
  }
}
