package dev.vramscope.web.timeline;

import dev.vramscope.analysis.sites.RangeSites;
import dev.vramscope.analysis.sites.RangeSites.Amounts;
import dev.vramscope.analysis.stacks.FrameKind;
import dev.vramscope.model.Frame;
import dev.vramscope.model.TraceAction;
import dev.vramscope.web.display.TextBudget;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A range of events in JSON, with as many sites as fit into one response.
 *
 * @param to the event after the last one
 * @param elapsedMicros from the first event to the last one, null if not recorded
 * @param counts events by action
 * @param driverCalls segments acquired or released, and ranges mapped or unmapped
 * @param peakEvent null if the peak is before the first event of the range
 * @param total the sums of all sites; its own peak is that of the range
 * @param rest the sums of the sites that are left out
 * @param restCount the number of those
 */
record RangeView(
    int device,
    int from,
    int to,
    @Nullable Long elapsedMicros,
    Map<String, Integer> counts,
    int driverCalls,
    long acquiredBytes,
    long releasedBytes,
    @Nullable Integer peakEvent,
    Amounts total,
    List<Site> rows,
    Amounts rest,
    int restCount) {
  private static final int CHARACTERS = 400_000;

  /** A site; {@code stack} is 0 if none was recorded. */
  @Schema(name = "RangeSite")
  public record Site(
      @Nullable Frame frame,
      @Nullable FrameKind kind,
      boolean beforeRecording,
      int stack,
      Amounts amounts) {}

  static RangeView of(RangeTable table, int device) {
    TextBudget budget = new TextBudget(CHARACTERS);
    List<Site> rows = new ArrayList<>();
    for (RangeSites.Row row : table.rows()) {
      if (budget.isSpent()) {
        break;
      }
      Frame frame = row.frame();
      rows.add(
          new Site(
              frame == null ? null : budget.frame(frame),
              row.kind(),
              row.beforeRecording(),
              row.stack(),
              row.amounts()));
    }
    List<RangeSites.Row> leftOut =
        new ArrayList<>(table.rows().subList(rows.size(), table.rows().size()));
    leftOut.add(new RangeSites.Row(null, null, /* beforeRecording= */ false, 0, table.rest()));
    Map<String, Integer> counts = new TreeMap<>();
    table.events().counts().forEach((action, count) -> counts.put(name(action), count));
    return new RangeView(
        device,
        table.from(),
        table.to(),
        table.isTimeKnown() ? table.events().elapsedMicros() : null,
        counts,
        table.events().driverCalls(),
        table.events().acquiredBytes(),
        table.events().releasedBytes(),
        table.isPeakAtStart() ? null : table.sites().peakEvent(),
        table.sites().total(),
        rows,
        RangeSites.sum(leftOut),
        table.restCount() + table.rows().size() - rows.size());
  }

  private static String name(TraceAction action) {
    return action.name().toLowerCase(Locale.ROOT);
  }
}
