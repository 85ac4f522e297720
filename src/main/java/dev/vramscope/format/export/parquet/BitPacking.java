package dev.vramscope.format.export.parquet;

import java.io.ByteArrayOutputStream;
import java.util.function.IntUnaryOperator;

/**
 * Parquet's RLE / bit-packing hybrid: runs of at least 8 equal numbers as their length and one
 * number, all others packed in groups of 8. Only the last group may be incomplete.
 */
final class BitPacking {
  private static final int GROUP = 8;

  private final IntUnaryOperator values;
  private final int count;
  private final int width;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private BitPacking(IntUnaryOperator values, int count, int width) {
    this.values = values;
    this.count = count;
    this.width = width;
  }

  /**
   * Encodes numbers.
   *
   * @param values the number at each position
   * @param count how many
   * @param width bits of each, 1 to 31
   */
  static byte[] encode(IntUnaryOperator values, int count, int width) {
    BitPacking packing = new BitPacking(values, count, width);
    packing.run();
    return packing.out.toByteArray();
  }

  private void run() {
    int packedFrom = 0;
    int next = 0;
    while (next < count) {
      int run = runLength(next);
      int fill = Math.floorMod(packedFrom - next, GROUP);
      if (run >= GROUP + fill) {
        pack(packedFrom, next + fill);
        repeat(values.applyAsInt(next), run - fill);
        packedFrom = next + run;
      }
      next += run;
    }
    pack(packedFrom, count);
  }

  private int runLength(int from) {
    int value = values.applyAsInt(from);
    int end = from + 1;
    while (end < count && values.applyAsInt(end) == value) {
      end++;
    }
    return end - from;
  }

  private void repeat(int value, int times) {
    Varints.write(out, (long) times << 1);
    for (int bits = 0; bits < width; bits += Byte.SIZE) {
      out.write(value >>> bits);
    }
  }

  private void pack(int from, int to) {
    if (from == to) {
      return;
    }
    int groups = (to - from + GROUP - 1) / GROUP;
    Varints.write(out, (long) groups << 1 | 1);
    long pending = 0;
    int pendingBits = 0;
    for (int i = from; i < from + groups * GROUP; i++) {
      pending |= (long) (i < to ? values.applyAsInt(i) : 0) << pendingBits;
      pendingBits += width;
      while (pendingBits >= Byte.SIZE) {
        out.write((int) pending);
        pending >>>= Byte.SIZE;
        pendingBits -= Byte.SIZE;
      }
    }
  }
}
