package dev.vramscope.allocator.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.vramscope.model.PoolId;
import org.junit.jupiter.api.Test;

class PoolNumbersTest {
  private final PoolNumbers numbers = new PoolNumbers();

  @Test
  void idKeepsItsNumbersAfterItsPoolsAreRemoved() {
    PoolId id = new PoolId(0, 1);
    int number = numbers.assign(id);
    numbers.retire(id);
    assertEquals(id, numbers.id(number));
    assertEquals(id, numbers.id(number + 1));
    assertEquals(number, numbers.numberFor(id));
    assertNotEquals(number, numbers.assign(new PoolId(0, 2)));
    assertEquals(number, numbers.assign(id));
  }

  @Test
  void numbersAreReusedAfterManyPoolsAreRemoved() {
    PoolId kept = new PoolId(7, 0);
    int number = numbers.assign(kept);
    for (int i = 1; i <= 3 * PoolNumbers.MAX_RETIRED; i++) {
      PoolId id = new PoolId(0, i);
      int own = numbers.assign(id);
      numbers.retire(id);
      assertEquals(id, numbers.id(own));
      numbers.numberFor(new PoolId(i, 1));
    }
    assertThat(numbers.end()).isLessThanOrEqualTo(2 * (PoolNumbers.MAX_RETIRED + 2));
    assertEquals(kept, numbers.id(number));
    assertEquals(number, numbers.assign(kept));
  }
}
