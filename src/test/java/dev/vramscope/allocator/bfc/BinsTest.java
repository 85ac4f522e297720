package dev.vramscope.allocator.bfc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class BinsTest {
  private static final long UNIT = ChunkTable.UNIT_BYTES;
  private static final int SLOTS = 3_000;

  private final ChunkTable chunks = new ChunkTable();
  private final Bins bins = new Bins(chunks);

  private int chunk(long address, long bytes) {
    int slot = chunks.create();
    chunks.setRange(slot, address, bytes);
    chunks.setTag(slot, ChunkTable.LOWER);
    return slot;
  }

  private int take(long bytes) {
    return bins.take(bytes, UNIT, AllocationAttributes.DEFAULT);
  }

  @Test
  void eachPowerOfTwoStartsABin() {
    assertEquals(0, Bins.of(1));
    assertEquals(0, Bins.of(511));
    assertEquals(1, Bins.of(512));
    assertEquals(19, Bins.of((1L << 28) - 1));
    assertEquals(20, Bins.of(1L << 28));
    assertEquals(20, Bins.of(Long.MAX_VALUE));
  }

  @Test
  void takesTheSmallestFittingChunkAndTheLowestAddressAmongEquals() {
    int large = chunk(0, 8 * UNIT);
    int high = chunk(64 * UNIT, 4 * UNIT);
    int low = chunk(32 * UNIT, 4 * UNIT);
    int small = chunk(96 * UNIT, 2 * UNIT);
    for (int slot : new int[] {large, high, low, small}) {
      bins.insert(slot);
    }
    assertEquals(low, take(3 * UNIT));
    assertEquals(high, take(3 * UNIT));
    assertEquals(large, take(3 * UNIT));
    assertEquals(ChunkTable.NONE, take(3 * UNIT));
    assertEquals(2 * UNIT, bins.largestBytes());
  }

  /** Uses few sizes, so that many chunks share one class and its runs split and join. */
  @Test
  void orderHoldsOverManyInsertionsAndRemovals() {
    for (long seed = 0; seed < 6; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ChunkTable table = new ChunkTable();
      Bins bins = new Bins(table);
      TreeSet<Integer> model =
          new TreeSet<>(
              Comparator.<Integer>comparingLong(table::bytes).thenComparingLong(table::address));
      List<Integer> outside = new ArrayList<>();
      for (int i = 0; i < SLOTS; i++) {
        int slot = table.create();
        long step = seed % 2 == 0 ? 0 : random.nextLong(3);
        table.setRange(slot, i * (64 * UNIT), 32 * UNIT + step * UNIT);
        table.setTag(slot, ChunkTable.LOWER);
        outside.add(slot);
      }
      for (int round = 0; round < 8; round++) {
        int wanted = round % 2 == 0 ? SLOTS : random.nextInt(80);
        while (model.size() != wanted) {
          move(random, table, bins, model, outside, model.size() < wanted);
        }
        assertEquals(wanted, bins.checkInvariants(), "seed " + seed);
        assertArrayEquals(
            model.stream().mapToInt(Integer::intValue).toArray(), bins.slots(5), "seed " + seed);
      }
    }
  }

  private static void move(
      SplittableRandom random,
      ChunkTable table,
      Bins bins,
      NavigableSet<Integer> model,
      List<Integer> outside,
      boolean insert) {
    if (insert) {
      int slot = outside.remove(/* index */ random.nextInt(outside.size()));
      bins.insert(slot);
      model.add(slot);
    } else if (random.nextInt(4) == 0) {
      int slot = bins.take(33 * UNIT, UNIT, AllocationAttributes.DEFAULT);
      Integer expected =
          model.stream().filter(s -> table.bytes(s) >= 33 * UNIT).findFirst().orElse(-1);
      assertEquals(expected, slot);
      if (slot != ChunkTable.NONE) {
        model.remove(slot);
        outside.add(slot);
      }
    } else {
      int any = random.nextInt(SLOTS);
      int slot = model.contains(any) ? any : model.first();
      model.remove(slot);
      bins.remove(slot);
      outside.add(slot);
    }
  }
}
