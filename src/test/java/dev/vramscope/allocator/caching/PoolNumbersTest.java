package dev.vramscope.allocator.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.vramscope.model.PoolId;
import org.junit.jupiter.api.Test;

class PoolNumbersTest {
  private final PoolNumbers numbers = new PoolNumbers();

  @Test
  void anIdKeepsItsNumbersWhenItsPoolsAreGone() {
    PoolId id = new PoolId(0, 1);
    int number = numbers.take(id);
    numbers.retire(id);
    assertEquals(id, numbers.id(number));
    assertEquals(id, numbers.id(number + 1));
    assertEquals(number, numbers.name(id));
    assertNotEquals(number, numbers.take(new PoolId(0, 2)));
    assertEquals(number, numbers.take(id));
  }

  @Test
  void numbersAreBoundedHoweverManyPoolsComeAndGo() {
    PoolId kept = new PoolId(7, 0);
    int number = numbers.take(kept);
    for (int i = 1; i <= 3 * PoolNumbers.REMEMBERED; i++) {
      PoolId id = new PoolId(0, i);
      int own = numbers.take(id);
      numbers.retire(id);
      assertEquals(id, numbers.id(own));
      numbers.name(new PoolId(i, 1));
    }
    assertThat(numbers.end()).isLessThanOrEqualTo(2 * (PoolNumbers.REMEMBERED + 2));
    assertEquals(kept, numbers.id(number));
    assertEquals(number, numbers.take(kept));
  }
}
