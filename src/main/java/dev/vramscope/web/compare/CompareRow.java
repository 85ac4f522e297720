package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.Change;
import dev.vramscope.analysis.diff.DiffRows;
import dev.vramscope.analysis.diff.DiffRows.Held;
import dev.vramscope.web.display.TextBudget;
import dev.vramscope.web.snapshot.FrameView;
import dev.vramscope.web.snapshot.StackFrames;
import org.jspecify.annotations.Nullable;

/**
 * A site or stack in the table of differences.
 *
 * @param site of the second side or, where it holds nothing of it, of the first; null without a
 *     stack
 * @param movedFrom the line of the first side if it is another one; 0 otherwise
 * @param frames inner frames of a stack of the side that {@code site} is of; null without a stack
 * @param stackUrl the whole stack
 * @param siteUrlA the row on the sites page; null where the side holds nothing of it
 * @param siteUrlB the same of the second side
 */
record CompareRow(
    DiffRows.Row row,
    @Nullable FrameView site,
    int movedFrom,
    @Nullable StackFrames frames,
    String stackUrl,
    @Nullable String siteUrlA,
    @Nullable String siteUrlB) {
  private static final int MAX_FRAMES = 40;

  public Change change() {
    return row.change();
  }

  public long differenceBytes() {
    return row.differenceBytes();
  }

  static CompareRow of(DiffRows.Row row, Comparison comparison, TextBudget budget) {
    Held before = row.before();
    Held after = row.after();
    FrameView first = before == null ? null : comparison.a().frame(before);
    FrameView second = after == null ? null : comparison.b().frame(after);
    ComparedDevice device = after == null ? comparison.a() : comparison.b();
    int stack = after != null ? after.stack() : before != null ? before.stack() : 0;
    return new CompareRow(
        row,
        second == null ? first : second,
        first != null && second != null && first.line() != second.line() ? first.line() : 0,
        stack == 0 ? null : StackFrames.of(device.loaded().stacks(), stack, 0, MAX_FRAMES, budget),
        device.links().page("/stacks/" + stack),
        before == null ? null : comparison.a().site(before),
        after == null ? null : comparison.b().site(after));
  }
}
