package dev.vramscope.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ColumnsTest {
  /** Sizes around the boundaries of chunks of 16 Ki rows. */
  private static final int[] SIZES = {0, 1, 16_383, 16_384, 16_385, 100_000};

  @Test
  void longColumnReturnsAddedAndChangedValues() {
    for (int size : SIZES) {
      SplittableRandom random = new SplittableRandom(size);
      LongColumn.Builder builder = new LongColumn.Builder();
      List<Long> expected = new ArrayList<>();
      for (int row = 0; row < size; row++) {
        long value = random.nextLong();
        builder.add(value);
        expected.add(value);
        if (random.nextInt(10) == 0) {
          int earlier = random.nextInt(row + 1);
          builder.set(earlier, -value);
          expected.set(earlier, -value);
          assertThat(builder.get(earlier)).isEqualTo(-value);
        }
      }
      LongColumn column = builder.build();
      assertThat(column.size()).isEqualTo(size);
      for (int row = 0; row < size; row++) {
        assertThat(column.get(row)).isEqualTo(expected.get(row));
      }
      assertThat(column.heapBytes()).isGreaterThanOrEqualTo(8L * size);
    }
  }

  @Test
  void intColumnReturnsAddedAndChangedValues() {
    for (int size : SIZES) {
      IntColumn.Builder builder = new IntColumn.Builder();
      for (int row = 0; row < size; row++) {
        builder.add(row * 31);
      }
      if (size > 0) {
        builder.set(size - 1, Integer.MIN_VALUE);
        builder.set(0, Integer.MAX_VALUE);
      }
      IntColumn column = builder.build();
      assertThat(column.size()).isEqualTo(size);
      for (int row = 1; row < size - 1; row++) {
        assertThat(column.get(row)).isEqualTo(row * 31);
      }
      if (size > 0) {
        assertThat(column.get(0)).isEqualTo(Integer.MAX_VALUE);
      }
    }
  }

  @Test
  void byteColumnReturnsAddedValues() {
    for (int size : SIZES) {
      ByteColumn.Builder builder = new ByteColumn.Builder();
      for (int row = 0; row < size; row++) {
        builder.add((byte) row);
      }
      ByteColumn column = builder.build();
      assertThat(column.size()).isEqualTo(size);
      for (int row = 0; row < size; row++) {
        assertThat(column.get(row)).isEqualTo((byte) row);
      }
    }
  }

  @Test
  void textColumnReturnsTextsByRowAndStoresEqualTextsOnce() {
    TextColumn.Builder builder = new TextColumn.Builder();
    builder.put(3, "a");
    builder.put(7, "b");
    builder.put(7, "c"); // replaces
    builder.put(9, "a");
    TextColumn column = builder.build();
    assertThat(column.count()).isEqualTo(3);
    assertThat(column.of(3)).isEqualTo("a");
    assertThat(column.of(7)).isEqualTo("c");
    assertThat(column.of(9)).isSameAs(column.of(3));
    assertThat(column.of(8)).isNull();
    assertThat(column.of(100)).isNull();
    assertThat(column.row(1)).isEqualTo(7);
    assertThat(column.text(1)).isEqualTo("c");
    assertThat(TextColumn.EMPTY.of(0)).isNull();
  }

  @Test
  void rowsOfATextColumnMustAscend() {
    TextColumn.Builder builder = new TextColumn.Builder();
    builder.put(3, "a");
    assertThatThrownBy(() -> builder.put(2, "b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("row 2 after row 3");
  }
}
