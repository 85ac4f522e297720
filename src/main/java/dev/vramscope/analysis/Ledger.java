package dev.vramscope.analysis;

import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.SizeRules;
import java.util.List;
import java.util.OptionalLong;

/**
 * Where a device's bytes are: rows that add up to its total.
 *
 * @param rows in the order of {@link Item}
 * @param reservedBytes sum of the rows that the allocator holds
 * @param total the device's size
 * @param remainder total less all known rows, which the unknown rows share; unknown when the total
 *     is
 */
public record Ledger(List<Row> rows, long reservedBytes, Amount total, Amount remainder) {
  public Ledger {
    rows = List.copyOf(rows);
  }

  /** A ledger that says what is stranded, but not for whom. */
  public static Ledger of(AllocatorState state, SizeRules sizes, DeviceMemory deviceMemory) {
    return LedgerTally.of(state, sizes, null).ledger(deviceMemory);
  }

  /** A ledger whose stranded bytes are split by what a request could have used. */
  public static Ledger of(
      AllocatorState state, SizeRules sizes, DeviceMemory deviceMemory, Placement request) {
    return LedgerTally.of(state, sizes, request).ledger(deviceMemory);
  }

  /** Bytes of an item, or why they are not known; an item without a row has 0 bytes. */
  public Amount amount(Item item) {
    return rows.stream()
        .filter(row -> row.item() == item)
        .findFirst()
        .map(Row::amount)
        .orElseGet(() -> new Amount.Known(0));
  }

  /** One line. */
  public record Row(Item item, Amount amount) {}

  /** What a line counts. */
  public enum Item {
    /** Handed out: what clients asked for. */
    LIVE_REQUESTED,
    /** Handed out: above what clients asked for. */
    ROUNDING,
    /** Handed out, where the file does not say what was asked for (before PyTorch 2.0). */
    LIVE_UNSPLIT,
    /** Freed by clients, but another stream may still use it. */
    PENDING_FREE,
    /** Wholly free segments, and whole free pages of expandable ones. */
    CACHED_RELEASABLE,
    /** Wholly free segments of private pools, which are kept while their pool is in use. */
    CACHED_PRIVATE_POOL,
    /** Cached beside an active block; not split, since no request is given. */
    STRANDED,
    /** Stranded, where the request could have used it. */
    STRANDED_USABLE_POOL,
    /** Stranded in the request's pool and size class, of another stream. */
    STRANDED_OTHER_STREAM,
    /** Stranded in the other size class. */
    STRANDED_OTHER_POOL,
    /** Stranded in a private pool that is not the request's. */
    STRANDED_PRIVATE_POOL,
    /** Held by this process, but not by the allocator: the CUDA context, libraries. */
    OUTSIDE_ALLOCATOR,
    /** Held by other processes. */
    OTHER_PROCESSES,
    /** Free on the device. */
    DEVICE_FREE;

    /** Whether the allocator holds these bytes. */
    public boolean isReserved() {
      return compareTo(OUTSIDE_ALLOCATOR) < 0;
    }
  }

  /** A number of bytes, or why there is none. */
  public sealed interface Amount {
    /** It is known. */
    record Known(long bytes) implements Amount {}

    /** It is not known, for a reason that a page may show. */
    record Unknown(String reason) implements Amount {}
  }

  /** What is known from outside the snapshot; empty where it is not. */
  public record DeviceMemory(
      OptionalLong totalBytes,
      OptionalLong freeBytes,
      OptionalLong outsideBytes,
      OptionalLong otherProcessesBytes) {
    /** Nothing is known. */
    public static final DeviceMemory UNKNOWN =
        new DeviceMemory(
            OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
  }

  /** Which free blocks a request could use. */
  public record Placement(long stream, PoolKind kind, PoolId pool) {}
}
