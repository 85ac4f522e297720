package dev.vramscope.analysis.ledger;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.SizeRules;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The use of a device's memory: rows that add up to its total.
 *
 * @param rows in the order of {@link Item}
 * @param reservedBytes sum of the rows that belong to the allocator
 * @param total the device's size; a lower bound where only that is known
 * @param remainder total minus all known rows: the sum of the unknown rows; unknown if the total is
 * @param totalSource the origin of the total; empty if it is the recording
 * @param isTotalEstimated whether the total is no measurement; what follows from it is an estimate
 */
public record Ledger(
    List<Row> rows,
    long reservedBytes,
    Amount total,
    Amount remainder,
    String totalSource,
    boolean isTotalEstimated) {
  public Ledger {
    rows = List.copyOf(rows);
  }

  /** A ledger whose total is as certain as the recording. */
  public Ledger(List<Row> rows, long reservedBytes, Amount total, Amount remainder) {
    this(rows, reservedBytes, total, remainder, "", /* isTotalEstimated= */ false);
  }

  /** A ledger without a request: the cached bytes that cannot be released are one row. */
  public static Ledger of(AllocatorState state, SizeRules sizes, DeviceMemory deviceMemory) {
    return LedgerTally.of(state, sizes, null).ledger(deviceMemory);
  }

  /**
   * A ledger of a device at a moment. If its file does not say what the allocator held, the live
   * bytes are known and the rest is not.
   */
  public static Ledger of(
      DeviceSnapshot device,
      AllocatorState state,
      LiveMemory live,
      SizeRules sizes,
      DeviceMemory deviceMemory) {
    boolean isReservedKnown =
        device.kind().hasSegments() && (!state.segments().isEmpty() || live.bytes() == 0);
    return isReservedKnown
        ? of(state, sizes, deviceMemory)
        : LedgerTally.ofRequests(live).ledger(deviceMemory);
  }

  /**
   * What is live at a moment according to the events.
   *
   * @param bytes all of it
   * @param unnamedBytes the part of it that was live before the first event and has no event
   * @param reservedBytes what the allocator held, or {@link ActiveBytes#UNKNOWN}
   */
  public record LiveMemory(long bytes, long unnamedBytes, long reservedBytes) {
    /** After an event, or before the first. */
    public static LiveMemory at(ActiveBytes active, int event) {
      return new LiveMemory(active.at(event), active.unnamedBytes(), active.reservedAt(event));
    }
  }

  /**
   * A ledger for a request: the cached bytes that cannot be released are split by whether the
   * request could have used them.
   */
  public static Ledger of(
      AllocatorState state, SizeRules sizes, DeviceMemory deviceMemory, Placement request) {
    return LedgerTally.of(state, sizes, request).ledger(deviceMemory);
  }

  /** Whether the file says what the allocator held; otherwise {@link #reservedBytes} is a part. */
  public boolean isReservedKnown() {
    return rows.stream()
        .noneMatch(row -> row.item().isReserved() && !(row.amount() instanceof Amount.Known));
  }

  /** All that the allocator held, or why that is unknown. */
  public Amount reserved() {
    return isReservedKnown()
        ? new Amount.Known(reservedBytes)
        : new Amount.Unknown(LedgerTally.RESERVED_UNKNOWN);
  }

  /**
   * The bytes of an item, or the reason why they are unknown; an item without a row has 0 bytes,
   * unless the file does not say what the allocator held.
   */
  public Amount amount(Item item) {
    return row(item)
        .map(Row::amount)
        .orElseGet(() -> item.isReserved() ? unseen() : new Amount.Known(0));
  }

  /** The row of an item, if it has one. */
  public Optional<Row> row(Item item) {
    return rows.stream().filter(row -> row.item() == item).findFirst();
  }

  private Amount unseen() {
    if (row(Item.UNRECORDED).filter(row -> row.amount() instanceof Amount.Known).isPresent()) {
      return new Amount.Unknown(LedgerTally.PARTS_UNKNOWN);
    }
    return isReservedKnown()
        ? new Amount.Known(0)
        : new Amount.Unknown(LedgerTally.RESERVED_UNKNOWN);
  }

  /**
   * The bytes of one item.
   *
   * @param source the origin of the number if it is not that of the item; may be empty
   */
  public record Row(Item item, Amount amount, String source) {
    public Row(Item item, Amount amount) {
      this(item, amount, "");
    }
  }

  /** The uses of device memory. */
  public enum Item {
    /** Allocated: the requested bytes. */
    LIVE_REQUESTED,
    /** Allocated: the bytes above the requested size. */
    ROUNDING,
    /** Allocated, with an unrecorded requested size (before PyTorch 2.0). */
    LIVE_REQUEST_UNKNOWN,
    /** Allocated before the recording, of which only the sum is recorded. */
    LIVE_EARLIER,
    /** Freed by clients, but another stream may still be using it. */
    PENDING_FREE,
    /** Completely free segments, and completely free pages of expandable segments. */
    CACHED_RELEASABLE,
    /** The same in private pools, which keep their segments while the pool is in use. */
    CACHED_PRIVATE_POOL,
    /** Cached, but in a segment or page with an active block; for a ledger without a request. */
    UNRELEASABLE,
    /** The same, where the request could have used it. */
    UNRELEASABLE_USABLE_POOL,
    /** The same, in the request's pool and size class but of another stream. */
    UNRELEASABLE_OTHER_STREAM,
    /**
     * The same, in the other size class, or in the default pool for a request in a private pool.
     */
    UNRELEASABLE_OTHER_POOL,
    /** The same, in a private pool that is not the request's. */
    UNRELEASABLE_PRIVATE_POOL,
    /**
     * Held beside what is live, in a file without segments; known only where it has the allocator's
     * own total.
     */
    UNRECORDED,
    /** Used by this process outside the allocator: the CUDA context, libraries. */
    OUTSIDE_ALLOCATOR,
    /** Used by other processes. */
    OTHER_PROCESSES,
    /** Free on the device. */
    DEVICE_FREE;

    /** Its name in JSON and in pages, such as {@code pending-free}. */
    public String id() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether these bytes belong to the allocator. */
    public boolean isReserved() {
      return compareTo(OUTSIDE_ALLOCATOR) < 0;
    }
  }

  /** A number of bytes, a lower bound, or the reason why it is unknown. */
  public sealed interface Amount {
    /** A known number of bytes. */
    record Known(long bytes) implements Amount {}

    /**
     * At least this many bytes.
     *
     * @param reason the origin of the bound, to show on a page
     */
    record AtLeast(long bytes, String reason) implements Amount {}

    /** An unknown number, with a reason to show on a page. */
    record Unknown(String reason) implements Amount {}
  }

  /**
   * Device memory as measured outside the allocator.
   *
   * @param total the size of the device
   * @param free free on the device
   * @param freeSource when the free memory was measured, if that is not the time of the ledger
   * @param outside used by this process outside the allocator
   * @param outsideSource what that memory is, if it is not the usual; may be empty
   * @param otherProcesses used by other processes
   * @param totalSource the origin of the size, if it is not the recording; may be empty
   * @param othersSource how the memory of other processes was found; may be empty
   * @param limitBytes the most that the allocator may hold, if a text says it
   * @param doubt what the numbers may be instead
   */
  public record DeviceMemory(
      Amount total,
      Amount free,
      String freeSource,
      Amount outside,
      String outsideSource,
      Amount otherProcesses,
      String totalSource,
      String othersSource,
      OptionalLong limitBytes,
      Doubt doubt) {
    /** All values unknown. */
    public static final DeviceMemory UNKNOWN =
        new DeviceMemory(
            OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

    /** Values that are known exactly, or not at all. */
    public DeviceMemory(
        OptionalLong totalBytes,
        OptionalLong freeBytes,
        OptionalLong outsideBytes,
        OptionalLong otherProcessesBytes) {
      this(
          amount(totalBytes, TOTAL_UNKNOWN),
          amount(freeBytes, FREE_UNKNOWN),
          "",
          amount(outsideBytes, OUTSIDE_UNKNOWN),
          "",
          amount(otherProcessesBytes, OTHERS_UNKNOWN));
    }

    /** Values that are as certain as the recording. */
    public DeviceMemory(
        Amount total,
        Amount free,
        String freeSource,
        Amount outside,
        String outsideSource,
        Amount otherProcesses) {
      this(
          total,
          free,
          freeSource,
          outside,
          outsideSource,
          otherProcesses,
          "",
          "",
          OptionalLong.empty(),
          Doubt.NONE);
    }

    static final String TOTAL_UNKNOWN = "A snapshot does not contain the size of the device";
    static final String FREE_UNKNOWN =
        "The file does not contain it; PyTorch records it when a request fails";
    static final String OUTSIDE_UNKNOWN =
        "A snapshot covers only the memory of the allocator; some error messages contain it";
    static final String OTHERS_UNKNOWN = "A snapshot does not cover other processes";

    static Amount amount(OptionalLong bytes, String reason) {
      return bytes.isPresent() ? new Amount.Known(bytes.getAsLong()) : new Amount.Unknown(reason);
    }
  }

  /**
   * What rounded or estimated numbers may be instead. A conclusion is certain only if it is the
   * same with each of them.
   *
   * @param alternatives the extremes; empty if there is no doubt
   * @param reason why the numbers are not exact, as a sentence
   * @param isSizeEstimated whether the size is no measurement
   */
  public record Doubt(List<DeviceMemory> alternatives, String reason, boolean isSizeEstimated) {
    public static final Doubt NONE = new Doubt(List.of(), "", /* isSizeEstimated= */ false);

    public Doubt {
      alternatives = List.copyOf(alternatives);
    }
  }

  /** The stream, size class and pool whose free blocks a request can use. */
  public record Placement(long stream, PoolKind kind, PoolId pool) {}
}
