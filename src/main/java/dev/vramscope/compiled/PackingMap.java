package dev.vramscope.compiled;

import dev.vramscope.compiled.LiveRanges.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of one allocation over offset and position. What is smaller than a cell of the map is
 * drawn as the cells that it touches, merged with others; larger buffers are rectangles of their
 * own.
 *
 * @param positions the number of positions of the program
 * @param buffers rectangles, largest first
 * @param cells merged rectangles of the buffers that have none of their own
 */
public record PackingMap(
    ProgramAllocation allocation, int positions, List<Rectangle> buffers, List<Rectangle> cells) {
  /** Rectangles with a text of their own; more are not told apart. */
  private static final int MOST = 3000;

  private static final int COLUMNS = 400;
  private static final int ROWS = 200;

  /**
   * A rectangle; all four in parts of the whole, from 0 to 1.
   *
   * @param buffer null for merged ones
   */
  public record Rectangle(
      double x,
      double y,
      double width,
      double height,
      @Nullable ProgramBuffer buffer,
      @Nullable Range range) {}

  public PackingMap {
    buffers = List.copyOf(buffers);
    cells = List.copyOf(cells);
  }

  /** The map of the largest temporary allocation; empty without live ranges. */
  public static Optional<PackingMap> of(CompiledProgram program) {
    return program
        .liveRanges()
        .filter(ranges -> ranges.length() > 0)
        .flatMap(
            ranges ->
                program.allocations().stream()
                    .filter(each -> each.use() == AllocationUse.TEMPORARY && each.bytes() > 0)
                    .max(Comparator.comparingLong(ProgramAllocation::bytes))
                    .map(allocation -> of(allocation, ranges)));
  }

  private static PackingMap of(ProgramAllocation allocation, LiveRanges ranges) {
    int positions = ranges.length();
    List<Rectangle> large = new ArrayList<>();
    List<Rectangle> small = new ArrayList<>();
    for (ProgramBuffer buffer : allocation.buffers()) {
      Range range = ranges.ranges().get(buffer.key());
      if (range == null || buffer.bytes() == 0) {
        continue;
      }
      Rectangle rectangle =
          new Rectangle(
              (double) range.start() / positions,
              (double) buffer.offset() / allocation.bytes(),
              (double) (range.end() + 1 - range.start()) / positions,
              (double) buffer.bytes() / allocation.bytes(),
              buffer,
              range);
      boolean isLarge = rectangle.width() * COLUMNS >= 1 && rectangle.height() * ROWS >= 1;
      (isLarge ? large : small).add(rectangle);
    }
    large.sort(
        Comparator.comparingDouble((Rectangle each) -> each.width() * each.height()).reversed());
    if (large.size() > MOST) {
      small.addAll(large.subList(MOST, large.size()));
      large = large.subList(0, MOST);
    }
    return new PackingMap(allocation, positions, large, merged(small));
  }

  /** The cells that rectangles touch; neighbours in a row become one. */
  private static List<Rectangle> merged(List<Rectangle> small) {
    boolean[][] touched = new boolean[ROWS][COLUMNS];
    for (Rectangle each : small) {
      int top = cell(each.y(), ROWS);
      int bottom = cell(each.y() + each.height() - 1e-12, ROWS);
      int left = cell(each.x(), COLUMNS);
      int right = cell(each.x() + each.width() - 1e-12, COLUMNS);
      for (int row = top; row <= bottom; row++) {
        if (left <= right) {
          Arrays.fill(touched[row], left, right + 1, true);
        }
      }
    }
    List<Rectangle> cells = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      for (int from = 0; from < COLUMNS; from++) {
        int to = from;
        while (to < COLUMNS && touched[row][to]) {
          to++;
        }
        if (to > from) {
          cells.add(
              new Rectangle(
                  (double) from / COLUMNS,
                  (double) row / ROWS,
                  (double) (to - from) / COLUMNS,
                  1.0 / ROWS,
                  null,
                  null));
          from = to;
        }
      }
    }
    return cells;
  }

  private static int cell(double part, int cells) {
    return Math.clamp((long) (part * cells), 0, cells - 1);
  }
}
