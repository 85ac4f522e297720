package dev.vramscope.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GateTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(20);

  @Test
  void aClientLeavesOnePlaceToOthers() throws InterruptedException {
    Gate gate = new Gate(3);
    Gate.Place first = enter(gate, "a", LONG).orElseThrow();
    assertThat(enter(gate, "a", LONG)).isPresent();
    assertThat(enter(gate, "a", SHORT)).isEmpty();
    assertThat(enter(gate, "b", SHORT)).isPresent();
    assertThat(enter(gate, "c", SHORT)).as("no place").isEmpty();
    first.close();
    assertThat(enter(gate, "c", SHORT)).isPresent();
  }

  @Test
  void placesGoRoundTheClientsThatWait() throws Exception {
    Gate gate = new Gate(2);
    Gate.Place occupied = enter(gate, "x", LONG).orElseThrow();
    assertThat(enter(gate, "y", LONG)).isPresent();
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> visits = new ArrayList<>();
      for (String client : List.of("a", "a", "a", "b")) {
        visits.add(
            threads.submit(
                () -> {
                  try (Gate.Place _ = enter(gate, client, LONG).orElseThrow()) {
                    order.add(client);
                  }
                  return null;
                }));
        int waiting = visits.size();
        await().pollInterval(Duration.ofMillis(1)).until(() -> gate.load().waiting() == waiting);
      }
      occupied.close();
      for (Future<?> visit : visits) {
        visit.get();
      }
    }
    assertThat(order).containsExactly("a", "b", "a", "a");
    assertThat(gate.load().waiting()).isZero();
  }

  @Test
  void longWorkKeepsNoPlaceAndIsLimitedByItself() throws InterruptedException {
    Gate gate = new Gate(2);
    AtomicInteger overdue = new AtomicInteger();
    List<Gate.Place> places = new ArrayList<>();
    for (int i = 0; i < 10; i++) { // 2 places, and 4 that are overdue for each.
      places.add(
          gate.enter(Requester.waiting("a" + i % 2), LONG, overdue::incrementAndGet).orElseThrow());
    }
    assertThat(gate.load()).isEqualTo(new Gate.Load(2, 8, 0));
    assertThat(overdue).hasValue(8);
    assertThat(enter(gate, "b", Gate.SHORT.multipliedBy(2))).as("too many").isEmpty();

    places.removeLast().close();
    assertThat(overdue).as("one that is long although nobody waited for its place").hasValue(9);
    assertThat(enter(gate, "b", SHORT)).isPresent();
    places.forEach(Gate.Place::close);
    assertThat(gate.load()).isEqualTo(new Gate.Load(1, 0, 0));
  }

  @Test
  void nobodyWaitsWhoseClientHasLeft() throws InterruptedException {
    Gate gate = new Gate(2);
    assertThat(enter(gate, "a", LONG)).isPresent();
    long begin = System.nanoTime();
    assertThat(gate.enter(new Requester("a", () -> true), LONG, () -> {})).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LONG.dividedBy(2));
    assertThat(gate.load().waiting()).isZero();
  }

  private static Optional<Gate.Place> enter(Gate gate, String client, Duration atMost)
      throws InterruptedException {
    return gate.enter(Requester.waiting(client), atMost, () -> {});
  }
}
