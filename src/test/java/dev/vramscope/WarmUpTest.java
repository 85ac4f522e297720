package dev.vramscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.Requester;
import dev.vramscope.work.WorkKind;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private final HeavyWork work = new HeavyWork(1, Duration.ofMinutes(2));

  @AfterEach
  void close() {
    work.close();
  }

  private boolean isIdle() {
    return work.load().stream().allMatch(load -> load.started() == 0 && load.waiting() == 0);
  }

  @Test
  void sampleIsExplainedInAllRounds() {
    WarmUp warmUp = WarmUp.begin(work);
    await().atMost(Duration.ofMinutes(2)).until(this::isIdle);
    assertThat(warmUp.roundsLeft()).isZero();
  }

  @Test
  void workOfAClientDoesNotWaitForTheLastRound() throws Exception {
    WarmUp warmUp = WarmUp.begin(work);
    assertThat(work.run(WorkKind.LAB, Requester.waiting("ann"), warmUp::roundsLeft)).isPositive();
  }
}
