package dev.vramscope.analysis.lifetimes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AddressTableTest {
  @Test
  void behavesLikeAMapWhileItGrows() {
    for (long seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      AddressTable table = new AddressTable(0);
      Map<Long, Integer> expected = new HashMap<>();
      for (int i = 1; i < 5000; i++) {
        long address = random.nextLong(3000) * 512;
        Integer old = expected.put(address, i);
        assertThat(table.put(address, i)).as("seed %d", seed).isEqualTo(old == null ? 0 : old);
        long other = random.nextLong(3000) * 512;
        assertThat(table.get(other)).as("seed %d", seed).isEqualTo(expected.getOrDefault(other, 0));
      }
    }
  }

  @Test
  void acceptsAddressZero() {
    AddressTable table = new AddressTable(1);
    assertThat(table.get(0)).isZero();
    table.put(0, -4);
    assertThat(table.get(0)).isEqualTo(-4);
  }

  @Test
  void addressesCraftedForAKnownFactorDoNotCollide() {
    long factor = 0x9E3779B97F4A7C15L;
    long inverse = factor;
    for (int i = 0; i < 5; i++) {
      // Newton's method: each step doubles the number of correct bits.
      inverse *= 2 - factor * inverse;
    }
    AddressTable table = new AddressTable(0);
    int count = 300_000;
    for (int i = 1; i <= count; i++) {
      // Multiplied by the factor this is i, with zeros in the upper half.
      table.put(i * inverse, i);
    }
    long probes = 0;
    for (int i = 1; i <= count; i++) {
      assertThat(table.get(i * inverse)).isEqualTo(i);
      probes += table.probeCount(i * inverse);
    }
    // Linear probing in a table that is at most half full reads 1.5 slots on average.
    assertThat(probes).isLessThan(3L * count);
  }
}
