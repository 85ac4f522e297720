package dev.vramscope.web.compiled;

import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.ProgramComparison;
import dev.vramscope.compiled.ProgramComparison.OperationChange;
import dev.vramscope.web.display.DisplayFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Two programs side by side. Changes are of the second against the first.
 *
 * @param sentence the answer
 * @param operations live at the peaks; empty if a peak is not known
 * @param flopsBefore of {@code cost_analysis()}, null if not stated
 */
public record ComparisonView(
    String before,
    String after,
    String sentence,
    List<Use> uses,
    List<OperationChange> operations,
    @Nullable Double flopsBefore,
    @Nullable Double flopsAfter) {
  private static final DisplayFormat FORMAT = new DisplayFormat();

  /** The most operations in an answer, those that changed most. */
  private static final int MOST = 200;

  /** A use of memory, or all of it. */
  public record Use(String label, long before, long after, long changeBytes) {}

  static Optional<ComparisonView> of(CompiledProgram before, CompiledProgram after) {
    return ProgramComparison.of(before, after)
        .map(
            comparison ->
                new ComparisonView(
                    before.name(),
                    after.name(),
                    sentence(before, after, comparison),
                    comparison.uses().stream().map(ComparisonView::use).toList(),
                    comparison.operations().stream().limit(MOST).toList(),
                    comparison.flopsBefore(),
                    comparison.flopsAfter()));
  }

  private static Use use(ProgramComparison.UseChange change) {
    AllocationUse use = change.use();
    return new Use(
        use == null ? "total" : use.label(), change.before(), change.after(), change.change());
  }

  private static String sentence(
      CompiledProgram before, CompiledProgram after, ProgramComparison comparison) {
    long change = comparison.change();
    long temporary = comparison.change(AllocationUse.TEMPORARY);
    return after.name()
        + (change == 0
            ? " needs as much memory as "
            : " needs " + difference(change) + " memory than ")
        + before.name()
        + (temporary == 0
            ? ""
            : " (temporary memory: "
                + difference(temporary)
                + ", "
                + FORMAT.count(Math.abs(temporary))
                + " B)")
        + flops(comparison.flopsBefore(), comparison.flopsAfter())
        + ".";
  }

  private static String difference(long change) {
    return FORMAT.bytes(Math.abs(change)) + (change < 0 ? " less" : " more");
  }

  private static String flops(@Nullable Double before, @Nullable Double after) {
    if (before == null || after == null) {
      return "";
    }
    if (before.equals(after)) {
      return ", with the same floating-point operations";
    }
    return ", at "
        + FORMAT.count(before.longValue())
        + " → "
        + FORMAT.count(after.longValue())
        + " floating-point operations"
        + (before > 0 ? String.format(Locale.ROOT, " (× %.2f)", after / before) : "");
  }
}
