package dev.vramscope.allocator.caching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.allocator.caching.configuration.Configuration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SizeRulesTest {
  private static final long MIB = 1L << 20;

  private final Configuration configuration = new Configuration();
  private final SizeRules sizes = new SizeRules(configuration);

  @Test
  void blocksAreMultiplesOf512() {
    assertEquals(512, sizes.roundedBytes(1));
    assertEquals(512, sizes.roundedBytes(512));
    assertEquals(1024, sizes.roundedBytes(513));
    assertEquals(1L << 60, sizes.roundedBytes((1L << 60) - 1));
  }

  @Test
  void divisionsRoundToStepsBetweenPowersOfTwo() {
    configuration.read("roundup_power2_divisions:4");
    assertEquals(1536, sizes.roundedBytes(1200));
    assertEquals(2560, sizes.roundedBytes(2100));
    assertEquals(4096, sizes.roundedBytes(4096));
    assertEquals(1280 * MIB, sizes.roundedBytes(1200 * MIB));
  }

  @Test
  void roundingNeverShrinksAndStaysAMultipleOf512() {
    SplittableRandom random = new SplittableRandom(5);
    for (String divisions : new String[] {"1", "2", "8", "64", "[1:4,64:0,>:16]"}) {
      configuration.read("roundup_power2_divisions:" + divisions);
      for (int i = 0; i < 10_000; i++) {
        long bytes = 1 + random.nextLong(1L << (1 + random.nextInt(45)));
        long rounded = sizes.roundedBytes(bytes);
        assertTrue(rounded >= bytes, () -> bytes + " became " + rounded);
        assertEquals(0, rounded % 512);
        assertEquals(rounded, sizes.roundedBytes(rounded));
      }
    }
  }

  @Test
  void segmentsAreSharedUpToTenMebibytes() {
    assertEquals(2 * MIB, sizes.segmentBytes(512));
    assertEquals(2 * MIB, sizes.segmentBytes(MIB));
    assertEquals(20 * MIB, sizes.segmentBytes(MIB + 512));
    assertEquals(20 * MIB, sizes.segmentBytes(10 * MIB - 512));
    assertEquals(10 * MIB, sizes.segmentBytes(10 * MIB));
    assertEquals(12 * MIB, sizes.segmentBytes(10 * MIB + 512));
  }
}
