package dev.vramscope.device.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReservedAddressesTest {
  private static final long MIB = 1L << 20;
  private static final long BASE = 1L << 40;

  private final Addresses addresses = AddressPolicy.DRIVER.addresses(BASE, 1024 * MIB);

  /** Where a request lies, in MiB above the first address. */
  private long mib(long size) {
    long address = addresses.allocate(size * MIB);
    return address == 0 ? -1 : (address - BASE) / MIB;
  }

  private void free(long at, long size) {
    addresses.free(BASE + at * MIB, size * MIB);
  }

  /** The order of an H100: each below the one before it, and small ones in the lowest rest. */
  @Test
  void reservationsGoDownAndTheirRestsAreUsedFromTheLowest() {
    assertThat(mib(148)).isEqualTo(1024 - 160);
    assertThat(mib(20)).isEqualTo(1024 - 192);
    assertThat(mib(74)).isEqualTo(736);
    assertThat(mib(74)).isEqualTo(640);
    assertThat(mib(20)).isEqualTo(640 + 74);
    assertThat(mib(2)).isEqualTo(640 + 94);
    assertThat(mib(20)).isEqualTo(736 + 74);
    assertThat(mib(12)).isEqualTo(832 + 20);
    assertThat(mib(14)).isEqualTo(640 - 32);
  }

  @Test
  void anEmptyReservationIsGivenUp() {
    mib(20);
    long second = mib(20);
    long rest = mib(2);
    free(second, 20);
    assertThat(mib(64)).as("it still has a block").isEqualTo(second - 64);
    assertThat(mib(18)).as("in what is free of it").isEqualTo(second);
    free(second, 18);
    free(rest, 2);
    assertThat(mib(22)).isEqualTo(second);
  }

  @Test
  void blocksNeverOverlapAndAllMemoryComesBack() {
    SplittableRandom random = new SplittableRandom(7);
    List<long[]> live = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      if (random.nextInt(100) < 52) {
        long size = 2 * MIB * random.nextLong(1, 40);
        long address = addresses.allocate(size);
        if (address != 0) {
          assertThat(address).isBetween(BASE, BASE + 1024 * MIB - size);
          for (long[] other : live) {
            assertThat(address + size <= other[0] || other[0] + other[1] <= address).isTrue();
          }
          live.add(new long[] {address, size});
        }
      } else if (!live.isEmpty()) {
        long[] block = live.remove(random.nextInt(live.size()));
        addresses.free(block[0], block[1]);
      }
    }
    live.forEach(block -> addresses.free(block[0], block[1]));
    assertThat(addresses.allocate(1024 * MIB)).isEqualTo(BASE);
  }
}
