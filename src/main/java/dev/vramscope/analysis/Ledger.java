package dev.vramscope.analysis;

import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

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

  public static Ledger of(AllocatorState state, Surroundings surroundings) {
    return Unbuilt.value();
  }

  /** A ledger whose stranded bytes are split by what the request could have used. */
  public static Ledger of(AllocatorState state, Surroundings surroundings, Wanted request) {
    return Unbuilt.value();
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
    LIVE_REQUESTED,
    ROUNDING,
    /** Handed out, where the file does not say what was asked for (before PyTorch 2.0). */
    LIVE_UNSPLIT,
    PENDING_FREE,
    CACHED_RELEASABLE,
    /** Wholly free segments of private pools, which are kept while their pool is in use. */
    CACHED_PRIVATE_POOL,
    /** Cached beside an active block; not split, since no request is given. */
    STRANDED,
    STRANDED_USABLE_POOL,
    STRANDED_OTHER_STREAM,
    STRANDED_OTHER_POOL,
    STRANDED_PRIVATE_POOL,
    OUTSIDE_ALLOCATOR,
    OTHER_PROCESSES,
    DEVICE_FREE;

    /** Whether the allocator holds these bytes. */
    public boolean isReserved() {
      return compareTo(OUTSIDE_ALLOCATOR) < 0;
    }
  }

  /** A number of bytes, or why there is none. */
  public sealed interface Amount {
    record Known(long bytes) implements Amount {}

    record Unknown(String reason) implements Amount {}
  }

  /** What is known from outside the snapshot; empty where it is not. */
  public record Surroundings(
      OptionalLong totalBytes,
      OptionalLong freeBytes,
      OptionalLong outsideBytes,
      OptionalLong otherProcessesBytes) {
    /** Nothing is known. */
    public static final Surroundings UNKNOWN =
        new Surroundings(
            OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
  }

  /** Which free blocks a request could use. A null pool means that it was not recorded. */
  public record Wanted(long stream, PoolKind kind, @Nullable PoolId pool) {}
}
