package dev.vramscope.web.live;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.live.DriverView;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import dev.vramscope.recorder.SnapshotBuilder;
import dev.vramscope.web.snapshot.LedgerView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The ledger of a hosted allocator: rows of the allocator, and rows that only the driver can fill.
 * A script updates all of them from the frames of the live view, so rows of 0 bytes are included.
 *
 * @param rows all rows, in the order of the items
 * @param reservedBytes sum of the rows that belong to the allocator
 * @param driver the memory that the driver reports
 */
record LiveLedger(List<LedgerView.Row> rows, long reservedBytes, DriverView driver) {
  /** Items that only a failed request has, or a snapshot of an old version. */
  private static final Set<Item> NOT_LIVE =
      EnumSet.of(
          Item.LIVE_REQUEST_UNKNOWN,
          Item.LIVE_EARLIER,
          Item.UNRELEASABLE_USABLE_POOL,
          Item.UNRELEASABLE_OTHER_STREAM,
          Item.UNRELEASABLE_OTHER_POOL,
          Item.UNRELEASABLE_PRIVATE_POOL);

  static LiveLedger of(HostedAllocator hosted, DriverView driver) {
    Snapshot now =
        SnapshotBuilder.of(hosted.allocator(), hosted.allocator().ordinal(), Instant.now());
    AllocatorState state = AllocatorState.end(now.devices().getFirst());
    Ledger ledger =
        Ledger.of(state, SizeRules.of(now.settings()), driver.deviceMemory(state.reservedBytes()));
    AllocatorFamily family = hosted.kind().family();
    double scale = 100.0 / Math.max(1, driver.totalBytes());
    List<LedgerView.Row> rows = new ArrayList<>();
    double start = 0;
    for (Item item : EnumSet.complementOf(EnumSet.copyOf(NOT_LIVE))) {
      switch (ledger.amount(item)) {
        case Amount.Known(long bytes) -> {
          rows.add(new LedgerView.Row(item, bytes, null, null, family, start, bytes * scale));
          start += bytes * scale;
        }
        case Amount.AtLeast(long _, String reason) ->
            rows.add(new LedgerView.Row(item, null, reason, null, family, start, 0));
        case Amount.Unknown(String reason) ->
            rows.add(new LedgerView.Row(item, null, reason, null, family, start, 0));
      }
    }
    return new LiveLedger(rows, ledger.reservedBytes(), driver);
  }

  public List<LedgerView.Row> reservedRows() {
    return rows.stream().filter(LedgerView.Row::isReserved).toList();
  }

  public List<String> reservedShares() {
    return LedgerView.shares(reservedRows(), reservedBytes);
  }

  public List<LedgerView.Row> outerRows() {
    return rows.stream().filter(row -> !row.isReserved()).toList();
  }
}
