package dev.vramscope.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class GateTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(20);

  @Test
  void aClientLeavesOnePlaceToOthers() throws InterruptedException {
    Gate gate = new Gate(3);
    assertThat(gate.enter("a", LONG)).isTrue();
    assertThat(gate.enter("a", LONG)).isTrue();
    assertThat(gate.enter("a", SHORT)).isFalse();
    assertThat(gate.enter("b", SHORT)).isTrue();
    assertThat(gate.enter("c", SHORT)).as("no place").isFalse();
    gate.leave("a");
    assertThat(gate.enter("c", SHORT)).isTrue();
  }

  @Test
  void placesGoRoundTheClientsThatWait() throws Exception {
    Gate gate = new Gate(2);
    assertThat(gate.enter("x", LONG)).isTrue();
    assertThat(gate.enter("y", LONG)).isTrue();
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> visits = new ArrayList<>();
      for (String client : List.of("a", "a", "a", "b")) {
        visits.add(
            threads.submit(
                () -> {
                  assertThat(gate.enter(client, LONG)).isTrue();
                  order.add(client);
                  gate.leave(client);
                  return null;
                }));
        int waiting = visits.size();
        await().pollInterval(Duration.ofMillis(1)).until(() -> gate.waiting() == waiting);
      }
      gate.leave("x");
      for (Future<?> visit : visits) {
        visit.get();
      }
    }
    assertThat(order).containsExactly("a", "b", "a", "a");
    assertThat(gate.waiting()).isZero();
  }
}
