package dev.vramscope.web;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.analysis.Ledger;
import dev.vramscope.analysis.Ledger.Amount;
import dev.vramscope.analysis.Ledger.Item;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ledger as pages and JSON show it: rows with labels and their position in the bar.
 *
 * @param rows the non-zero and the unknown rows, in the ledger's order
 * @param reservedBytes sum of the rows that belong to the allocator
 * @param totalBytes the device's size, or null when it is not known
 * @param totalUnknown why it is not known, or null
 * @param remainderBytes total minus all known rows, the sum of the unknown rows; null without a
 *     total
 */
record LedgerView(
    List<Row> rows,
    long reservedBytes,
    @Nullable Long totalBytes,
    @Nullable String totalUnknown,
    @Nullable Long remainderBytes) {

  /**
   * One row.
   *
   * @param bytes null when unknown
   * @param unknown the reason, or null
   * @param startPercent its left edge in the bar
   * @param sharePercent its share of the bar
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Row(
      Item item,
      @Nullable Long bytes,
      @Nullable String unknown,
      @JsonIgnore double startPercent,
      @JsonIgnore double sharePercent) {

    @JsonIgnore
    public boolean isReserved() {
      return item.isReserved();
    }

    @JsonIgnore
    public String label() {
      return switch (item) {
        case LIVE_REQUESTED -> "Requested by the program";
        case ROUNDING -> "Rounding";
        case LIVE_REQUEST_UNKNOWN -> "Allocated, including rounding";
        case PENDING_FREE -> "Pending free";
        case CACHED_RELEASABLE -> "Cached, releasable";
        case CACHED_PRIVATE_POOL -> "Cached, private pool";
        case UNRELEASABLE -> "Cached, not releasable";
        case UNRELEASABLE_USABLE_POOL -> "Not releasable: same pool and stream";
        case UNRELEASABLE_OTHER_STREAM -> "Not releasable: other stream";
        case UNRELEASABLE_OTHER_POOL -> "Not releasable: other size class";
        case UNRELEASABLE_PRIVATE_POOL -> "Not releasable: private pool";
        case OUTSIDE_ALLOCATOR -> "Outside the allocator, this process";
        case OTHER_PROCESSES -> "Other processes";
        case DEVICE_FREE -> "Free on the device";
      };
    }

    @JsonIgnore
    public String term() {
      return LedgerView.term(item);
    }

    /** A sentence on what the row counts. */
    @JsonIgnore
    public String meaning() {
      return switch (item) {
        case LIVE_REQUESTED -> "Requested size of the blocks in use";
        case ROUNDING -> "Allocated minus requested: the allocator rounds sizes up";
        case LIVE_REQUEST_UNKNOWN ->
            "Blocks in use; the file has no requested sizes (before PyTorch 2.0)";
        case PENDING_FREE ->
            "Freed by the program; another stream may still use it (record_stream)";
        case CACHED_RELEASABLE ->
            "Segments without a block in use: emptying the cache releases them";
        case CACHED_PRIVATE_POOL ->
            "Segments without a block in use, kept for a CUDA graph or a MemPool";
        case UNRELEASABLE -> "Free, but in a segment with a block in use: it cannot be released";
        case UNRELEASABLE_USABLE_POOL -> "Usable by this request, but in blocks that are too small";
        case UNRELEASABLE_OTHER_STREAM -> "Free in segments of another stream";
        case UNRELEASABLE_OTHER_POOL -> "Free in the pool of the other size class";
        case UNRELEASABLE_PRIVATE_POOL -> "Free in a private pool of a CUDA graph or a MemPool";
        case OUTSIDE_ALLOCATOR -> "CUDA context, cuBLAS and NCCL buffers, other libraries";
        case OTHER_PROCESSES -> "Device memory of other processes";
        case DEVICE_FREE -> "Free according to the driver";
      };
    }

    /** The CSS class that colours it; neighbours also differ in their {@link #pattern()}. */
    @JsonIgnore
    public String css() {
      return switch (item) {
        case LIVE_REQUESTED, LIVE_REQUEST_UNKNOWN -> "item-live";
        case ROUNDING -> "item-rounding";
        case PENDING_FREE -> "item-pending";
        case CACHED_RELEASABLE -> "item-releasable";
        case CACHED_PRIVATE_POOL, UNRELEASABLE_PRIVATE_POOL -> "item-private";
        case UNRELEASABLE, UNRELEASABLE_USABLE_POOL -> "item-unreleasable";
        case UNRELEASABLE_OTHER_STREAM -> "item-unreleasable-stream";
        case UNRELEASABLE_OTHER_POOL -> "item-unreleasable-pool";
        case OUTSIDE_ALLOCATOR -> "item-outside";
        case OTHER_PROCESSES -> "item-processes";
        case DEVICE_FREE -> "item-free";
      };
    }

    /** The pattern over it: none for allocated, dots for cached, stripes for not releasable. */
    @JsonIgnore
    public String pattern() {
      return switch (item) {
        case LIVE_REQUESTED, LIVE_REQUEST_UNKNOWN, ROUNDING, OUTSIDE_ALLOCATOR, DEVICE_FREE -> "";
        case PENDING_FREE, CACHED_PRIVATE_POOL, UNRELEASABLE_PRIVATE_POOL -> "cross";
        case CACHED_RELEASABLE, OTHER_PROCESSES -> "dots";
        case UNRELEASABLE,
            UNRELEASABLE_USABLE_POOL,
            UNRELEASABLE_OTHER_STREAM,
            UNRELEASABLE_OTHER_POOL ->
            "stripes";
      };
    }
  }

  /** The glossary's term for an item. */
  static String term(Item item) {
    return switch (item) {
      case LIVE_REQUESTED -> "requested";
      case ROUNDING -> "rounding";
      case LIVE_REQUEST_UNKNOWN -> "allocated";
      case PENDING_FREE -> "pending-free";
      case CACHED_RELEASABLE -> "releasable";
      case CACHED_PRIVATE_POOL -> "private-pool";
      case UNRELEASABLE,
          UNRELEASABLE_USABLE_POOL,
          UNRELEASABLE_OTHER_STREAM,
          UNRELEASABLE_OTHER_POOL,
          UNRELEASABLE_PRIVATE_POOL ->
          "not-releasable";
      case OUTSIDE_ALLOCATOR -> "outside";
      case OTHER_PROCESSES, DEVICE_FREE -> "device";
    };
  }

  static LedgerView of(Ledger ledger) {
    long knownBytes = 0;
    for (Ledger.Row row : ledger.rows()) {
      knownBytes += row.amount() instanceof Amount.Known known ? known.bytes() : 0;
    }
    Long total = ledger.total() instanceof Amount.Known known ? (Long) known.bytes() : null;
    double scale = 100.0 / Math.max(1, total == null ? knownBytes : Math.max(total, knownBytes));
    List<Row> rows = new ArrayList<>();
    double start = 0;
    for (Ledger.Row row : ledger.rows()) {
      switch (row.amount()) {
        case Amount.Known(long bytes) when bytes != 0 -> {
          rows.add(new Row(row.item(), bytes, null, start, bytes * scale));
          start += bytes * scale;
        }
        case Amount.Known(long _) -> {} // Zero: no row.
        case Amount.Unknown(String reason) -> rows.add(new Row(row.item(), null, reason, start, 0));
      }
    }
    return new LedgerView(
        rows,
        ledger.reservedBytes(),
        total,
        ledger.total() instanceof Amount.Unknown(String reason) ? reason : null,
        ledger.remainder() instanceof Amount.Known(long bytes) ? (Long) bytes : null);
  }

  /** Right edge of the known rows in the bar; the unknown rows share the rest. */
  @JsonIgnore
  public double knownPercent() {
    return rows.stream().mapToDouble(Row::sharePercent).sum();
  }

  @JsonIgnore
  public boolean hasUnknownRows() {
    return rows.stream().anyMatch(row -> row.bytes() == null);
  }

  @JsonIgnore
  public List<Row> reservedRows() {
    return rows.stream().filter(Row::isReserved).toList();
  }

  @JsonIgnore
  public List<Row> outerRows() {
    return rows.stream().filter(row -> !row.isReserved()).toList();
  }
}
