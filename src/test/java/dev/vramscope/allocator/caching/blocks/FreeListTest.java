package dev.vramscope.allocator.caching.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FreeListTest {
  private record Entry(long bytes, long registration, long address, int slot) {
    private static final Comparator<Entry> ORDER =
        Comparator.comparingLong(Entry::bytes)
            .thenComparingLong(Entry::registration)
            .thenComparingLong(Entry::address);

    private long key0() {
      return SortedBlocks.key0(bytes, registration);
    }

    private long key1() {
      return SortedBlocks.key1(address, slot);
    }
  }

  private FreeList list = new FreeList();
  private final NavigableSet<Entry> expected = new TreeSet<>(Entry.ORDER);

  @Test
  void emptyListFindsNothing() {
    assertEquals(FreeList.NOT_FOUND, list.bestFit(1));
    assertEquals(FreeList.NOT_FOUND, list.sorted().first());
    assertEquals(FreeList.NOT_FOUND, list.sorted().last());
    assertFalse(list.remove(SortedBlocks.key0(512, 0), SortedBlocks.key1(0, 1)));
  }

  @Test
  void oldestSegmentIsFirstAmongEqualSizes() {
    insert(new Entry(1024, 7, 512, 1));
    insert(new Entry(1024, 3, 4096, 2));
    insert(new Entry(1024, 3, 2048, 3));
    assertEquals(3, list.block(list.bestFit(600)));
  }

  @Test
  void newestBlockIsFoundOnlyIfItIsTheBestFit() {
    insert(new Entry(2048, 0, 0, 1));
    insert(new Entry(4096, 0, 8192, 2));
    assertEquals(1, list.block(list.bestFit(2048)));
    assertEquals(2, list.block(list.bestFit(2049)));
    assertEquals(FreeList.NOT_FOUND, list.bestFit(4097));
    insert(new Entry(4096, 0, 4096, 3));
    assertEquals(3, list.block(list.bestFit(4096)));
    list.removeAt(list.bestFit(4096));
    assertEquals(2, list.block(list.bestFit(4096)));
    assertEquals(2, list.size());
  }

  @Test
  void requestsLargerThanAnyKeyFindNothing() {
    insert(new Entry(1L << 40, 0, 512, 1));
    assertEquals(FreeList.NOT_FOUND, list.bestFit((1L << 40) + 1));
    assertEquals(FreeList.NOT_FOUND, list.bestFit(1L << 62));
    assertEquals(1, list.block(list.bestFit(1L << 40)));
  }

  @Test
  void behavesLikeASortedSet() {
    for (long seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int slot = 1; slot < 1500; slot++) {
        if (!expected.isEmpty() && random.nextInt(5) < 2) {
          remove(any(random));
        } else {
          Entry entry =
              new Entry(size(random), random.nextInt(6), 512L * random.nextInt(1 << 20), slot);
          if (!expected.contains(entry)) {
            insert(entry);
          }
        }
        assertFound(size(random));
      }
      assertSameOrder();
      list.checkInvariants();
      while (!expected.isEmpty()) {
        remove(any(random));
      }
      assertEquals(0, list.size());
      list.checkInvariants();
    }
  }

  /** More blocks of a size than fit in one run, before and after a list separates the sizes. */
  @Test
  void manyBlocksOfFewSizesAreSorted() {
    for (int most : new int[] {900, 8_000}) {
      list = new FreeList();
      expected.clear();
      SplittableRandom random = new SplittableRandom(most);
      for (int slot = 1; slot < most; slot++) {
        insert(new Entry(fewSizes(random), random.nextInt(3), 512L * slot, slot));
      }
      assertSameOrder();
      list.checkInvariants();
      for (int i = 0; i < most; i++) {
        long bytes = fewSizes(random);
        assertFound(bytes);
        Entry best = expected.ceiling(new Entry(bytes, 0, 0, 0));
        if (best != null && random.nextBoolean()) {
          list.removeAt(list.bestFit(bytes));
          expected.remove(best);
        } else {
          remove(any(random));
        }
        if (random.nextInt(3) == 0) {
          insert(new Entry(fewSizes(random), 1, 512L * (most + i), most + i));
        }
        if (i % 500 == 0) {
          assertSameOrder();
          list.checkInvariants();
        }
      }
      while (!expected.isEmpty()) {
        remove(expected.last());
      }
      assertEquals(0, list.size());
      list.checkInvariants();
    }
  }

  private static long fewSizes(SplittableRandom random) {
    return random.nextInt(4) == 0 ? 3L << 20 : 512L * (1 + random.nextInt(2));
  }

  /** Ascending addresses of one size: each new block is the last of the order. */
  @Test
  void blocksOfOneSizeAreAddedInTimeThatGrowsWithTheirNumber() {
    int blocks = 1_000_000;
    long start = System.nanoTime();
    for (int slot = 1; slot <= blocks; slot++) {
      list.insert(SortedBlocks.key0(512, 0), SortedBlocks.key1(512L * slot, slot));
    }
    assertEquals(1, list.block(list.bestFit(512)));
    assertEquals(blocks, list.size());
    // Half a second; with one array for all, a minute.
    assertTrue(Duration.ofNanos(System.nanoTime() - start).toSeconds() < 20);
  }

  private Entry any(SplittableRandom random) {
    Entry from = new Entry(size(random), random.nextInt(6), 0, 0);
    Entry ceiling = expected.ceiling(from);
    return ceiling != null ? ceiling : expected.first();
  }

  /** A few sizes around the limits of bins, and many others. */
  private static long size(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> 512L * (1 + random.nextInt(8));
      case 1 -> (2L << 20) + 512L * (random.nextInt(5) - 2);
      case 2 -> 512L * (1 + random.nextInt(1 << 13));
      default -> 512L * (1 + random.nextLong(1L << (1 + random.nextInt(30))));
    };
  }

  private void insert(Entry entry) {
    list.insert(entry.key0(), entry.key1());
    expected.add(entry);
  }

  private void remove(Entry entry) {
    assertTrue(list.remove(entry.key0(), entry.key1()));
    expected.remove(entry);
  }

  private void assertFound(long bytes) {
    Entry best = expected.ceiling(new Entry(bytes, 0, 0, 0));
    long position = list.bestFit(bytes);
    if (best == null) {
      assertEquals(FreeList.NOT_FOUND, position);
    } else {
      assertEquals(best.slot(), list.block(position));
    }
  }

  private void assertSameOrder() {
    SortedBlocks sorted = list.sorted();
    long up = sorted.first();
    for (Entry entry : expected) {
      assertEquals(entry.slot(), sorted.block(up));
      up = sorted.next(up);
    }
    assertEquals(FreeList.NOT_FOUND, up);
    long down = sorted.last();
    for (Entry entry : expected.descendingSet()) {
      assertEquals(entry.slot(), sorted.block(down));
      down = sorted.previous(down);
    }
    assertEquals(FreeList.NOT_FOUND, down);
  }
}
