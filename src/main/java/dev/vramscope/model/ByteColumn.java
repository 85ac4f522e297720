package dev.vramscope.model;

import java.util.Arrays;

/**
 * An immutable column of bytes.
 *
 * <p>Stored in chunks of 16 Ki rows (16 KiB), so that a column of millions of rows grows without
 * copying and without humongous objects in the garbage collector:
 *
 * <pre>
 *   row = chunk &lt;&lt; 14 | offset      chunks[chunk][offset]
 * </pre>
 */
public final class ByteColumn {
  private static final int SHIFT = 14;
  private static final int CHUNK = 1 << SHIFT;
  private static final int MASK = CHUNK - 1;

  private final byte[][] chunks;
  private final int size;

  private ByteColumn(byte[][] chunks, int size) {
    this.chunks = chunks;
    this.size = size;
  }

  public int size() {
    return size;
  }

  public byte get(int row) {
    return chunks[row >> SHIFT][row & MASK];
  }

  /** Heap bytes of the rows. */
  public long heapBytes() {
    return (long) chunks.length * CHUNK;
  }

  /** Builds a column; rows that were already added can be changed. Not thread-safe. */
  public static final class Builder {
    private byte[][] chunks = new byte[4][];
    private int size;

    public int size() {
      return size;
    }

    public void add(byte value) {
      int chunk = size >> SHIFT;
      if ((size & MASK) == 0) {
        if (chunk == chunks.length) {
          chunks = Arrays.copyOf(chunks, chunk * 2);
        }
        chunks[chunk] = new byte[CHUNK];
      }
      chunks[chunk][size++ & MASK] = value;
    }

    /**
     * Appends all rows of another builder, which must not be used any more: its chunks become part
     * of this column.
     */
    void append(Builder other) {
      if ((size & MASK) != 0) {
        for (int row = 0; row < other.size; row++) {
          add(other.get(row));
        }
        return;
      }
      int first = size >> SHIFT;
      int added = (other.size + MASK) >> SHIFT;
      if (first + added > chunks.length) {
        chunks = Arrays.copyOf(chunks, Math.max(first + added, 2 * chunks.length));
      }
      System.arraycopy(other.chunks, 0, chunks, first, added);
      size += other.size;
    }

    public void set(int row, byte value) {
      chunks[row >> SHIFT][row & MASK] = value;
    }

    public byte get(int row) {
      return chunks[row >> SHIFT][row & MASK];
    }

    public ByteColumn build() {
      return new ByteColumn(Arrays.copyOf(chunks, (size + MASK) >> SHIFT), size);
    }
  }
}
