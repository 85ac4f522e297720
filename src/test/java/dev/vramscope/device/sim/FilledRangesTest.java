package dev.vramscope.device.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.Pattern;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FilledRangesTest {
  private static final long BASE = SimDevice.MEMORY_BASE;

  private final FilledRanges filled = new FilledRanges();

  @Test
  void filledRangeMatches() {
    filled.fill(BASE, 1000, 7);
    assertEquals(CheckResult.MATCH, filled.compare(BASE, 1000, 7));
    assertEquals(CheckResult.MATCH, filled.compare(BASE, 13, 7), "a part of it");
    assertEquals(new CheckResult(125, 0), filled.compare(BASE, 1000, 8));
  }

  @Test
  void partOfAFillMatchesALaterSeed() {
    filled.fill(BASE, 1024, 7);
    assertEquals(CheckResult.MATCH, filled.compare(BASE + 512, 512, 7 + 64));
    assertEquals(Pattern.word(7, 64), Pattern.word(7 + 64, 0));
  }

  @Test
  void findsFillInTheMiddle() {
    filled.fill(BASE, 4096, 1);
    filled.fill(BASE + 1024, 512, 2);
    assertEquals(new CheckResult(64, 1024), filled.compare(BASE, 4096, 1));
    assertEquals(CheckResult.MATCH, filled.compare(BASE + 1024, 512, 2));
    assertEquals(CheckResult.MATCH, filled.compare(BASE + 1536, 512, 1 + 192));
  }

  @Test
  void copyMatchesItsSource() {
    filled.fill(BASE, 1024, 7);
    filled.fill(BASE + 256, 64, 8);
    filled.copy(BASE, BASE + 8192, 1024 + 16);
    assertEquals(CheckResult.MATCH, filled.compare(BASE + 8192, 256, 7));
    assertEquals(CheckResult.MATCH, filled.compare(BASE + 8192 + 256, 64, 8));
    assertEquals(CheckResult.MATCH, filled.compare(BASE + 8192 + 320, 704, 7 + 40));
    assertEquals(new CheckResult(2, 0), filled.compare(BASE + 8192 + 1024, 16, 7 + 128));
    filled.fill(BASE, 1024, 9);
    assertEquals(CheckResult.MATCH, filled.compare(BASE + 8192, 256, 7));
  }

  @Test
  void unfilledMemoryMatchesNothing() {
    assertEquals(new CheckResult(2, 0), filled.compare(BASE, 9, 0));
    filled.fill(BASE, 8, 0);
    assertEquals(new CheckResult(1, 8), filled.compare(BASE, 9, 0));
  }

  @Test
  void discardedContentsMatchNothing() {
    filled.fill(BASE, 4096, 1);
    filled.discard(BASE + 512, 1024);
    assertEquals(new CheckResult(128, 512), filled.compare(BASE, 4096, 1));
    filled.discard(BASE, 4096);
    assertEquals(0, filled.size());
  }

  @Test
  void twoMismatchesInOneWordCountOnce() {
    filled.fill(BASE, 13, 1);
    filled.fill(BASE + 16, 8, 1 + 2);
    assertEquals(new CheckResult(1, 8), filled.compare(BASE, 24, 1), "bytes 13 to 16");
  }

  @Test
  void emptyRangesChangeNothingAndMatch() {
    filled.fill(BASE, 64, 1);
    filled.fill(BASE + 8, 0, 2);
    filled.discard(BASE + 8, 0);
    assertEquals(CheckResult.MATCH, filled.compare(BASE, 64, 1));
    assertEquals(CheckResult.MATCH, filled.compare(BASE, 0, 5));
  }

  /** Random fills, discards and checks, compared with an array that has a phase for each byte. */
  @Test
  void behavesLikeArrayOfBytes() {
    for (int seed = 1; seed <= 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FilledRanges tested = new FilledRanges();
      PlainMemory plain = new PlainMemory();
      for (int step = 0; step < 200; step++) {
        int start = 8 * random.nextInt(PlainMemory.BYTES / 8);
        int bytes = random.nextInt(Math.min(96, PlainMemory.BYTES - start) + 1);
        long fill = random.nextInt(4);
        switch (random.nextInt(5)) {
          case 0, 1 -> {
            tested.fill(BASE + start, bytes, fill);
            plain.fill(start, bytes, fill);
          }
          case 2 -> {
            tested.discard(BASE + start, bytes);
            plain.discard(start, bytes);
          }
          default -> {
            CheckResult expected = plain.compare(start, bytes, fill);
            if (!expected.equals(tested.compare(BASE + start, bytes, fill))) {
              fail("seed %d, step %d: [%d, +%d)".formatted(seed, step, start, bytes));
            }
          }
        }
      }
    }
  }

  private static final class PlainMemory {
    private static final int BYTES = 256;
    private static final long UNKNOWN = Long.MIN_VALUE;

    private final long[] phases = new long[BYTES];

    private PlainMemory() {
      discard(0, BYTES);
    }

    private void fill(int start, int bytes, long seed) {
      for (int i = 0; i < bytes; i++) {
        phases[start + i] = seed - start / 8;
      }
    }

    private void discard(int start, int bytes) {
      for (int i = 0; i < bytes; i++) {
        phases[start + i] = UNKNOWN;
      }
    }

    private CheckResult compare(int start, int bytes, long seed) {
      long words = 0;
      long first = CheckResult.NONE;
      for (int word = 0; word < bytes; word += 8) {
        boolean matches = true;
        for (int i = word; i < Math.min(bytes, word + 8); i++) {
          matches &= phases[start + i] == seed - start / 8;
        }
        if (!matches) {
          words++;
          first = first == CheckResult.NONE ? word : first;
        }
      }
      return new CheckResult(words, first);
    }
  }
}
