package dev.vramscope.web.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.analysis.Shares;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.ledger.LedgerWords;
import dev.vramscope.model.AllocatorFamily;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A ledger as pages and JSON show it: rows with labels and their position in the bar.
 *
 * @param rows the non-zero and the unknown rows, in the ledger's order
 * @param reservedBytes sum of the rows that belong to the allocator; null if one is unknown
 * @param totalBytes the device's size, or null when it is not known
 * @param totalAtLeastBytes a lower bound of an unknown size, or null
 * @param totalUnknown why it is not known, or the origin of the lower bound; null if it is known
 * @param totalSource the origin of a size that is not in the recording, or null
 * @param remainderBytes total minus all known rows, the sum of the unknown rows; null without a
 *     total
 */
public record LedgerView(
    List<Row> rows,
    @Nullable Long reservedBytes,
    @Nullable Long totalBytes,
    @Nullable Long totalAtLeastBytes,
    @Nullable String totalUnknown,
    @Nullable String totalSource,
    @Nullable Long remainderBytes) {

  /**
   * One row.
   *
   * @param bytes null when unknown
   * @param unknown the reason, or null
   * @param source the origin of the number if it is not that of the other rows, or null
   * @param family the allocator's algorithm, for the words
   * @param startPercent its left edge in the bar
   * @param sharePercent its share of the bar
   */
  @Schema(name = "LedgerViewRow")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Row(
      Item item,
      @Nullable Long bytes,
      @Nullable String unknown,
      @Nullable String source,
      @JsonIgnore AllocatorFamily family,
      @JsonIgnore double startPercent,
      @JsonIgnore double sharePercent) {

    @JsonIgnore
    public boolean isReserved() {
      return item.isReserved();
    }

    @JsonIgnore
    public String label() {
      return LedgerWords.label(item, family);
    }

    @JsonIgnore
    public String term() {
      return LedgerView.term(item);
    }

    /** A sentence on what the row counts, or on the origin of its number. */
    @JsonIgnore
    public String meaning() {
      return source != null ? source : LedgerWords.meaning(item, family);
    }

    /** The CSS class that colours it; neighbours also differ in their {@link #pattern()}. */
    @JsonIgnore
    public String css() {
      return switch (item) {
        case LIVE_REQUESTED, LIVE_REQUEST_UNKNOWN, LIVE_EARLIER -> "item-live";
        case ROUNDING -> "item-rounding";
        case PENDING_FREE -> "item-pending";
        case CACHED_RELEASABLE -> "item-releasable";
        case CACHED_PRIVATE_POOL, UNRELEASABLE_PRIVATE_POOL -> "item-private";
        case UNRELEASABLE, UNRELEASABLE_USABLE_POOL, UNRECORDED -> "item-unreleasable";
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
        case LIVE_EARLIER, CACHED_RELEASABLE, OTHER_PROCESSES -> "dots";
        case UNRELEASABLE,
            UNRELEASABLE_USABLE_POOL,
            UNRELEASABLE_OTHER_STREAM,
            UNRELEASABLE_OTHER_POOL,
            UNRECORDED ->
            "stripes";
      };
    }
  }

  /** The glossary's term for an item. */
  public static String term(Item item) {
    return switch (item) {
      case LIVE_REQUESTED -> "requested";
      case ROUNDING -> "rounding";
      case LIVE_REQUEST_UNKNOWN, LIVE_EARLIER -> "allocated";
      case PENDING_FREE -> "pending-free";
      case CACHED_RELEASABLE -> "releasable";
      case CACHED_PRIVATE_POOL -> "private-pool";
      case UNRELEASABLE,
          UNRELEASABLE_USABLE_POOL,
          UNRELEASABLE_OTHER_STREAM,
          UNRELEASABLE_OTHER_POOL,
          UNRELEASABLE_PRIVATE_POOL ->
          "not-releasable";
      case UNRECORDED -> "reserved";
      case OUTSIDE_ALLOCATOR -> "outside";
      case OTHER_PROCESSES, DEVICE_FREE -> "device";
    };
  }

  public static LedgerView of(Ledger ledger, AllocatorFamily family) {
    long knownBytes = 0;
    for (Ledger.Row row : ledger.rows()) {
      knownBytes += row.amount() instanceof Amount.Known knownAmount ? knownAmount.bytes() : 0;
    }
    Long total = null;
    Long atLeast = null;
    String unknown = null;
    switch (ledger.total()) {
      case Amount.Known(long bytes) -> total = bytes;
      case Amount.AtLeast(long bytes, String reason) -> {
        atLeast = bytes;
        unknown = reason;
      }
      case Amount.Unknown(String reason) -> unknown = reason;
    }
    long scaleBytes = total != null ? total : atLeast != null ? atLeast : knownBytes;
    double scale = 100.0 / Math.max(1, Math.max(scaleBytes, knownBytes));
    List<Row> rows = new ArrayList<>();
    double start = 0;
    for (Ledger.Row row : ledger.rows()) {
      String source = row.source().isEmpty() ? null : row.source();
      switch (row.amount()) {
        case Amount.Known(long bytes) when bytes != 0 -> {
          double share = bytes * scale;
          rows.add(new Row(row.item(), bytes, null, source, family, start, share));
          start += share;
        }
        case Amount.Known(long _) -> {} // Zero: no row.
        case Amount.AtLeast(long _, String reason) ->
            rows.add(new Row(row.item(), null, reason, null, family, start, 0));
        case Amount.Unknown(String reason) ->
            rows.add(new Row(row.item(), null, reason, null, family, start, 0));
      }
    }
    return new LedgerView(
        rows,
        ledger.isReservedKnown() ? (Long) ledger.reservedBytes() : null,
        total,
        atLeast,
        unknown,
        total == null || ledger.totalSource().isEmpty() ? null : ledger.totalSource(),
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

  /** The shares of {@link #reservedRows()}; an unknown row counts as 0. */
  @JsonIgnore
  public List<String> reservedShares() {
    return reservedBytes == null
        ? reservedRows().stream().map(_ -> "").toList()
        : shares(reservedRows(), reservedBytes);
  }

  public static List<String> shares(List<Row> rows, long reservedBytes) {
    return Shares.of(
        rows.stream().map(row -> Objects.requireNonNullElse(row.bytes(), 0L)).toList(),
        reservedBytes);
  }

  @JsonIgnore
  public List<Row> outerRows() {
    return rows.stream().filter(row -> !row.isReserved()).toList();
  }
}
