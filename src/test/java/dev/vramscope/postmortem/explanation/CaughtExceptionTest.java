package dev.vramscope.postmortem.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.SizeRules;
import dev.vramscope.postmortem.RecordedFailure;
import dev.vramscope.postmortem.cause.Request;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CaughtExceptionTest {
  private static final long MIB = 1L << 20;

  @Test
  void blocksOfACallThatFailedAreKeptWhileItsExceptionIsHandled() {
    Optional<CaughtException> caught = last("retry_inside_the_handler");
    // The first failure is event 2,867; the embedding and the first layer had been served.
    assertThat(caught).isPresent();
    assertThat(caught.get().event()).isEqualTo(2867);
    assertThat(caught.get().keptBytes()).isGreaterThan(128 * MIB);
  }

  @Test
  void nothingIsKeptAfterTheHandlerWasLeft() {
    assertThat(last("leak_after_caught_failure")).isEmpty();
  }

  @Test
  void aFirstFailureHasNoEarlierOne() {
    assertThat(last("leak_losses")).isEmpty();
  }

  private static Optional<CaughtException> last(String name) {
    RecordedFailure failure =
        RecordedFailure.all("failures")
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    DeviceSnapshot device = failure.snapshot().devices().getFirst();
    OomEvent oom = device.trace().ooms().getLast();
    Request request =
        Request.of(
            device.trace(),
            oom,
            SizeRules.of(failure.snapshot().settings()),
            device.facts().family());
    return CaughtException.before(request, device.trace(), failure.snapshot().stacks());
  }
}
