package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.replays.KnownReplays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The replays of a failure are not run again when their results are known. */
class ReusedReplaysTest {
  /** Keeps the results in memory. */
  private static final class Kept implements KnownReplays {
    private final Map<Variant, Outcome> outcomes = new HashMap<>();
    private int keptCount;

    @Override
    public Map<Variant, Outcome> outcomes(Collection<? extends Variant> variants, DeviceSize size) {
      return Map.copyOf(outcomes);
    }

    @Override
    public void keep(Variant variant, DeviceSize size, Outcome outcome) {
      outcomes.put(variant, outcome);
      keptCount++;
    }

    @Override
    public Optional<Fidelity> fidelity() {
      return Optional.empty();
    }

    @Override
    public void keep(Fidelity fidelity) {}
  }

  @Test
  void knownResultsGiveTheSameAnswerAndAreNotComputedAgain() {
    for (ExplainedCase found : ExplainedCase.all()) {
      OomReport report = found.report(OptionalLong.empty());
      Kept kept = new Kept();
      ChangedReplays first = found.tries(report, found.run(), kept).orElseThrow();
      int count = kept.keptCount;
      assertThat(count).isEqualTo(first.changed().size() + 1);

      assertThat(found.tries(report, found.run(), kept)).as(found.name()).contains(first);
      assertThat(kept.keptCount).as(found.name()).isEqualTo(count);
    }
  }
}
