package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.Change;
import dev.vramscope.analysis.diff.DiffRows;
import dev.vramscope.analysis.diff.DiffRows.Held;
import dev.vramscope.analysis.diff.LedgerDiff;
import dev.vramscope.analysis.diff.LedgerDiff.Amounts;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.StackTable;
import dev.vramscope.web.display.TextBudget;
import dev.vramscope.web.snapshot.FrameView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A comparison in JSON. Bytes are requested sizes of active allocations, differences are after
 * minus before.
 *
 * @param before the first device
 * @param after the second device
 * @param sites by the innermost frame of the user's code
 * @param stacks by all frames
 * @param ledger rows that are not 0 in both
 * @param settings those that differ
 * @param equalSettingCount settings with the same value in both; null if one file has none
 */
record DiffView(
    Side before,
    Side after,
    long differenceBytes,
    List<Group> sites,
    List<Group> stacks,
    List<LedgerRow> ledger,
    List<SettingRow> settings,
    @Nullable Integer equalSettingCount) {
  private static final int MAX_SETTINGS = 200;
  // Of sites and stacks together.
  private static final int CHARACTERS = 600_000;

  /**
   * One device at a moment.
   *
   * @param event the moment is after this event; null if it is before the first one
   * @param peakBytes null without a trace
   */
  record Side(
      String snapshot,
      String name,
      int device,
      String at,
      @Nullable Integer event,
      long activeBytes,
      long allocationCount,
      int eventCount,
      int oomCount,
      @Nullable Long peakBytes,
      @Nullable Long deviceBytes,
      String producer) {}

  /**
   * Sites or stacks with the same kind of difference.
   *
   * @param count of all of them, also those without a row here
   * @param beforeBytes of all of them
   * @param afterBytes of all of them
   * @param rows the largest differences, as many as fit into one response
   * @param otherCount sites or stacks without a row here
   * @param otherDifferenceBytes the sum of their differences
   */
  record Group(
      Change change,
      long count,
      long beforeBytes,
      long afterBytes,
      long differenceBytes,
      List<Row> rows,
      long otherCount,
      long otherDifferenceBytes) {}

  /** A site or stack; a side is null where nothing of it is active. */
  @Schema(name = "DiffRow")
  record Row(@Nullable Part before, @Nullable Part after, long differenceBytes) {}

  /**
   * The active allocations of one side.
   *
   * @param site the frame that names the allocation site; null without a stack
   * @param stack the stack for {@code /stacks} of the snapshot, of a site one of them; null without
   * @param beforeRecording for allocations without a stack
   */
  @Schema(name = "DiffPart")
  record Part(
      long bytes,
      long count,
      @Nullable FrameView site,
      @Nullable Integer stack,
      boolean beforeRecording) {}

  /** A row of both ledgers; null where the bytes are unknown. */
  record LedgerRow(
      Item item,
      @Nullable Long beforeBytes,
      @Nullable Long afterBytes,
      @Nullable Long differenceBytes) {}

  /** A setting that differs; null where it is not recorded. */
  record SettingRow(String name, @Nullable String before, @Nullable String after) {}

  static DiffView of(Comparison comparison) {
    TextBudget budget = new TextBudget(CHARACTERS);
    return new DiffView(
        side(comparison.a(), comparison.memory().beforeCount()),
        side(comparison.b(), comparison.memory().afterCount()),
        comparison.memory().differenceBytes(),
        groups(comparison.memory().sites(), comparison, budget),
        groups(comparison.memory().stacks(), comparison, budget),
        comparison.ledger().rows().stream().map(DiffView::row).toList(),
        comparison.settings().rows().stream()
            .limit(MAX_SETTINGS)
            .map(
                row ->
                    new SettingRow(
                        budget.text(row.name()),
                        row.before() == null ? null : budget.text(row.before()),
                        row.after() == null ? null : budget.text(row.after())))
            .toList(),
        comparison.settings().isKnown() ? (Integer) comparison.settings().equalCount() : null);
  }

  private static Side side(ComparedDevice side, long allocationCount) {
    DeviceInspection device = side.device();
    int event = side.moment().event();
    return new Side(
        side.stored().id(),
        side.stored().name(),
        device.ordinal(),
        side.moment().parameter(),
        event == Lifetimes.BEFORE_RECORDING ? null : (Integer) event,
        side.analyzed().activeBytes(),
        allocationCount,
        device.device().trace().size(),
        device.device().failedRequestCount(),
        device.hasEvents() ? (Long) device.active().peakBytes() : null,
        device.isSizeRecorded() ? (Long) device.device().facts().deviceBytes().orElse(0) : null,
        side.loaded().snapshot().origin().producer());
  }

  private static List<Group> groups(DiffRows all, Comparison comparison, TextBudget budget) {
    List<Group> groups = new ArrayList<>();
    for (DiffRows.Group group : all.groups()) {
      List<Row> rows = new ArrayList<>();
      long shownBytes = 0;
      for (DiffRows.Row row : group.rows()) {
        if (budget.isSpent()) {
          break;
        }
        shownBytes += row.differenceBytes();
        rows.add(
            new Row(
                part(row.before(), comparison.a(), budget),
                part(row.after(), comparison.b(), budget),
                row.differenceBytes()));
      }
      groups.add(
          new Group(
              group.change(),
              group.rowCount(),
              group.beforeBytes(),
              group.afterBytes(),
              group.differenceBytes(),
              rows,
              group.rowCount() - rows.size(),
              group.differenceBytes() - shownBytes));
    }
    return groups;
  }

  private static @Nullable Part part(@Nullable Held held, ComparedDevice side, TextBudget budget) {
    if (held == null) {
      return null;
    }
    return new Part(
        held.bytes(),
        held.count(),
        FrameView.ofSite(side.loaded().stacks(), held.stack(), budget),
        held.stack() == StackTable.NONE ? null : (Integer) held.stack(),
        held.isBeforeRecording());
  }

  private static LedgerRow row(LedgerDiff.Row row) {
    Amounts amounts = row.amounts();
    return new LedgerRow(
        row.item(),
        bytesIfKnown(amounts.before()),
        bytesIfKnown(amounts.after()),
        amounts.differenceBytes().isPresent()
            ? (Long) amounts.differenceBytes().getAsLong()
            : null);
  }

  private static @Nullable Long bytesIfKnown(Amount amount) {
    return amount instanceof Amount.Known(long bytes) ? (Long) bytes : null;
  }
}
