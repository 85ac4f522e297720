package dev.vramscope.format.export;

import dev.vramscope.model.TextColumn;
import org.jspecify.annotations.Nullable;

/** Iterates over a sparse text column by ascending rows. */
final class TextCursor {
  private final TextColumn column;
  private int next;

  TextCursor(TextColumn column) {
    this.column = column;
  }

  /** The text of a row, which must not be lower than that of the previous call. */
  @Nullable String at(int row) {
    while (next < column.count() && column.row(next) < row) {
      next++;
    }
    return next < column.count() && column.row(next) == row ? column.text(next) : null;
  }
}
