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
 * A ledger as it is shown: rows with words and their place in the bar.
 *
 * @param rows those that count something or cannot be known, in the ledger's order
 * @param reservedBytes sum of the rows that the allocator holds
 * @param totalBytes the device's size, or null when it is not known
 * @param totalUnknown why it is not known, or null
 * @param remainderBytes total less all known rows, which the unknown rows share; null without a
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
   * @param bytes or null when unknown
   * @param unknown the reason, or null
   * @param startPercent where it begins in the bar
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
        case LIVE_REQUESTED -> "Live, as requested";
        case ROUNDING -> "Rounding";
        case LIVE_UNSPLIT -> "Live, with rounding";
        case PENDING_FREE -> "Freed, waiting for a stream";
        case CACHED_RELEASABLE -> "Cached, releasable";
        case CACHED_PRIVATE_POOL -> "Cached, private pool";
        case STRANDED -> "Cached, stranded";
        case STRANDED_USABLE_POOL -> "Stranded, right pool and stream";
        case STRANDED_OTHER_STREAM -> "Stranded, other stream";
        case STRANDED_OTHER_POOL -> "Stranded, other pool";
        case STRANDED_PRIVATE_POOL -> "Stranded, private pool";
        case OUTSIDE_ALLOCATOR -> "Outside the allocator, this process";
        case OTHER_PROCESSES -> "Other processes";
        case DEVICE_FREE -> "Free on the device";
      };
    }

    /** What the row counts, for who meets it first. */
    @JsonIgnore
    public String meaning() {
      return switch (item) {
        case LIVE_REQUESTED -> "What the program asked for, in the blocks it holds";
        case ROUNDING -> "Requests are rounded up: allocated less requested";
        case LIVE_UNSPLIT -> "The file does not say what was asked for (before PyTorch 2.0)";
        case PENDING_FREE -> "Freed by the program, still in use by another stream (record_stream)";
        case CACHED_RELEASABLE -> "Segments without a live block: emptying the cache returns them";
        case CACHED_PRIVATE_POOL ->
            "Wholly free, but kept for a captured graph or a pool of the user";
        case STRANDED -> "Free, but in a segment with a live block: it cannot be returned";
        case STRANDED_USABLE_POOL -> "Free where this request may look, but in pieces";
        case STRANDED_OTHER_STREAM -> "Free in segments of another stream";
        case STRANDED_OTHER_POOL -> "Free in the pool of the other size class";
        case STRANDED_PRIVATE_POOL -> "Free in a captured graph's or user's own pool";
        case OUTSIDE_ALLOCATOR -> "CUDA context, cuBLAS and NCCL buffers, other libraries";
        case OTHER_PROCESSES -> "Held on this device by others";
        case DEVICE_FREE -> "What the driver still had";
      };
    }

    /** The class that colours it; unlike neighbours also differ in hatching. */
    @JsonIgnore
    public String css() {
      return switch (item) {
        case LIVE_REQUESTED, LIVE_UNSPLIT -> "item-live";
        case ROUNDING -> "item-rounding";
        case PENDING_FREE -> "item-pending";
        case CACHED_RELEASABLE -> "item-releasable";
        case CACHED_PRIVATE_POOL, STRANDED_PRIVATE_POOL -> "item-private";
        case STRANDED, STRANDED_USABLE_POOL -> "item-stranded";
        case STRANDED_OTHER_STREAM -> "item-stranded-stream";
        case STRANDED_OTHER_POOL -> "item-stranded-pool";
        case OUTSIDE_ALLOCATOR -> "item-outside";
        case OTHER_PROCESSES -> "item-processes";
        case DEVICE_FREE -> "item-free";
      };
    }

    /** The pattern drawn over it: none for what is live, dots for cached, stripes for stranded. */
    @JsonIgnore
    public String pattern() {
      return switch (item) {
        case LIVE_REQUESTED, LIVE_UNSPLIT, ROUNDING, OUTSIDE_ALLOCATOR, DEVICE_FREE -> "";
        case PENDING_FREE, CACHED_PRIVATE_POOL, STRANDED_PRIVATE_POOL -> "cross";
        case CACHED_RELEASABLE, OTHER_PROCESSES -> "dots";
        case STRANDED, STRANDED_USABLE_POOL, STRANDED_OTHER_STREAM, STRANDED_OTHER_POOL ->
            "stripes";
      };
    }
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
        case Amount.Known(long _) -> {} // Nothing of this kind.
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

  /** Where the known rows end in the bar; the rest, if any, is what the unknown rows share. */
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
