package dev.vramscope.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class GuessLimitTest {
  private final Clock clock = new Clock();
  private final GuessLimit limit = new GuessLimit(clock);

  @Test
  void clientIsDelayedAfterItsShareAndAcceptedLater() {
    guess("192.0.2.1", GuessLimit.PER_CLIENT);
    assertThat(limit.waitBefore("192.0.2.1"))
        .isPositive()
        .isLessThanOrEqualTo(Duration.ofSeconds(6));
    clock.advance(limit.waitBefore("192.0.2.1"));
    assertThat(limit.waitBefore("192.0.2.1")).isZero();
    guess("192.0.2.1", 1);
    assertThat(limit.waitBefore("192.0.2.1")).isPositive();
  }

  @Test
  void otherAddressesAreNotDelayed() {
    guess("192.0.2.1", GuessLimit.PER_CLIENT);
    assertThat(limit.waitBefore("192.0.2.2")).isZero();
  }

  @Test
  void rightTokenDoesNotRefillTheShare() {
    guess("192.0.2.1", GuessLimit.PER_CLIENT);
    limit.recordRight("192.0.2.1");
    assertThat(limit.waitBefore("192.0.2.1")).isPositive();
  }

  @Test
  void ipv6NetworkIsOneClient() {
    for (int i = 0; i < GuessLimit.PER_CLIENT; i++) {
      guess("2001:db8:0:1:0:0:0:" + Integer.toHexString(i), 1);
    }
    assertThat(limit.waitBefore("2001:db8:0:1:ffff:0:0:1")).isPositive();
    assertThat(limit.waitBefore("2001:db8:0:2:0:0:0:1")).isZero();
  }

  @Test
  void manyAddressesShareALimitExceptThoseWithTheRightToken() {
    limit.recordRight("192.0.2.1");
    for (int i = 0; i < GuessLimit.IN_TOTAL; i++) {
      guess("10.0." + i / 100 + "." + i % 100, 1);
    }
    assertThat(limit.waitBefore("192.0.2.2")).isPositive();
    assertThat(limit.waitBefore("192.0.2.1")).isZero();
    clock.advance(Duration.ofMinutes(1));
    assertThat(limit.waitBefore("192.0.2.2")).isZero();
  }

  @Test
  void addressesInMemoryAreBounded() {
    for (int i = 0; i < 3 * GuessLimit.MAX_CLIENTS; i++) {
      guess("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255), 1);
      limit.recordRight("11." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
    }
    assertThat(limit.clientsInMemory()).isEqualTo(2 * GuessLimit.MAX_CLIENTS);
  }

  private void guess(String address, int times) {
    for (int i = 0; i < times; i++) {
      limit.recordWrong(address);
    }
  }

  private static final class Clock implements TimeMeter {
    private long nanos = 1;

    void advance(Duration time) {
      nanos += time.toNanos();
    }

    @Override
    public long currentTimeNanos() {
      return nanos;
    }

    @Override
    public boolean isWallClockBased() {
      return false;
    }
  }
}
