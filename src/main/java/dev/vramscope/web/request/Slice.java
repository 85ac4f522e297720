package dev.vramscope.web.request;

import dev.vramscope.web.problem.RefusedRequestException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list that is too long for one response.
 *
 * @param rows the rows from {@code offset}
 * @param pageSize rows of a complete part
 * @param total rows of the whole list
 */
public record Slice<T>(List<T> rows, int offset, int pageSize, int total) {
  /** The part of {@code all} that begins at {@code offset}; past the end, the last part. */
  public static <T> Slice<T> of(List<T> all, int offset, int pageSize) {
    int from = offsetIn(all.size(), offset, pageSize);
    int to = Math.min(all.size() - from, pageSize) + from;
    return new Slice<>(all.subList(from, to), from, pageSize, all.size());
  }

  /** The offset, if it is below {@code total}; otherwise the offset of the last part. */
  public static int offsetIn(int total, int offset, int pageSize) {
    requireOffset(offset);
    return offset < total ? offset : Math.max(0, total - 1) / Math.max(1, pageSize) * pageSize;
  }

  public static void requireOffset(int offset) {
    if (offset < 0) {
      throw RefusedRequestException.badParameter("offset", offset, "0 or more");
    }
  }

  /** The same part, with each row as something else. */
  public <R> Slice<R> map(Function<? super T, R> row) {
    return new Slice<>(rows.stream().map(row).toList(), offset, pageSize, total);
  }

  public boolean isPart() {
    return rows.size() < total;
  }

  /** The offset of the part before this one, or null. */
  public @Nullable Integer previous() {
    return offset == 0 ? null : Math.max(0, offset - pageSize);
  }

  /** The offset of the part after this one, or null. */
  public @Nullable Integer next() {
    return offset + rows.size() < total ? offset + rows.size() : null;
  }

  /** The position of the first row, from 1. */
  public int first() {
    return rows.isEmpty() ? 0 : offset + 1;
  }

  /** The position of the last row, from 1. */
  public int last() {
    return offset + rows.size();
  }
}
