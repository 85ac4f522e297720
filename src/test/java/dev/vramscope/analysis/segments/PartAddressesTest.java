package dev.vramscope.analysis.segments;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** {@link PartAddresses} finds what a binary search over all addresses finds. */
class PartAddressesTest {
  private static final int TIMES = 300;

  @Test
  void findsTheLastAddressThatIsNotAbove() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < TIMES; i++) {
      long[] addresses = addresses(random);
      PartAddresses table = new PartAddresses(addresses);
      for (long address : addresses) {
        for (long near : new long[] {address - 1, address, address + 1}) {
          assertFound(table, addresses, Math.max(0, near));
        }
        assertFound(table, addresses, random.nextLong(Long.MAX_VALUE));
      }
      assertFound(table, addresses, 0);
      assertFound(table, addresses, Long.MAX_VALUE);
    }
  }

  @Test
  void nothingIsFoundAmongNone() {
    assertThat(new PartAddresses(new long[0]).lastUpTo(5)).isEqualTo(-1);
  }

  /** From one to many, close together or far apart. */
  private static long[] addresses(SplittableRandom random) {
    int count = 1 + random.nextInt(60);
    long scale = 1L << random.nextInt(1, 62);
    return random.longs(count, 0, scale).map(a -> a << 1).distinct().sorted().toArray();
  }

  private static void assertFound(PartAddresses table, long[] addresses, long address) {
    int index = Arrays.binarySearch(addresses, address);
    assertThat(table.lastUpTo(address)).isEqualTo(index >= 0 ? index : -index - 2);
  }
}
