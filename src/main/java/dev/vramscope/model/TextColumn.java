package dev.vramscope.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A sparse column of texts, such as the user metadata of events. It contains the row numbers with a
 * text, in ascending order, and the number of each text. Equal texts are stored once.
 */
public final class TextColumn {
  /** A column in which no row has a text. */
  public static final TextColumn EMPTY =
      new TextColumn(new IntColumn.Builder().build(), new IntColumn.Builder().build(), List.of());

  private final IntColumn rows;
  private final IntColumn texts;
  private final List<String> distinct;

  private TextColumn(IntColumn rows, IntColumn texts, List<String> distinct) {
    this.rows = rows;
    this.texts = texts;
    this.distinct = distinct;
  }

  /** Number of rows with a text. */
  public int count() {
    return rows.size();
  }

  /** The texts that rows have, each once. */
  public List<String> distinct() {
    return distinct;
  }

  /** The row of the {@code index}-th text, ascending. */
  public int row(int index) {
    return rows.get(index);
  }

  /** The {@code index}-th text, in row order. */
  public String text(int index) {
    return distinct.get(texts.get(index));
  }

  /** The text of a row, or null if it has none. */
  public @Nullable String of(int row) {
    int low = 0;
    int high = rows.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int middleRow = rows.get(middle);
      if (middleRow == row) {
        return text(middle);
      }
      if (middleRow < row) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }

  /** Collects texts in ascending row order. Not thread-safe. */
  public static final class Builder {
    private final IntColumn.Builder rows = new IntColumn.Builder();
    private final IntColumn.Builder texts = new IntColumn.Builder();
    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    /**
     * Sets the text of {@code row}, which must not be lower than the last row; the text of the last
     * row may be replaced.
     */
    public void put(int row, String text) {
      int number = numbers.computeIfAbsent(text, _ -> numbers.size());
      int last = rows.size() - 1;
      if (last >= 0 && rows.get(last) == row) {
        texts.set(last, number);
        return;
      }
      if (last >= 0 && rows.get(last) > row) {
        throw new IllegalArgumentException(
            "row " + row + " after row " + rows.get(last) + ": rows must ascend");
      }
      rows.add(row);
      texts.add(number);
    }

    public TextColumn build() {
      return numbers.isEmpty()
          ? EMPTY
          : new TextColumn(
              rows.build(), texts.build(), List.copyOf(new ArrayList<>(numbers.keySet())));
    }
  }
}
