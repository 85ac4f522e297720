package dev.vramscope.whatif.replays;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Variant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** Results of earlier replays of one recording, which need not be computed again. Thread-safe. */
public interface KnownReplays {
  /** Nothing is known, and nothing is kept. */
  KnownReplays NONE =
      new KnownReplays() {
        @Override
        public Map<Variant, Outcome> outcomes(
            Collection<? extends Variant> variants, DeviceSize size) {
          return Map.of();
        }

        @Override
        public void keep(Variant variant, DeviceSize size, Outcome outcome) {}

        @Override
        public Optional<Fidelity> fidelity() {
          return Optional.empty();
        }

        @Override
        public void keep(Fidelity fidelity) {}
      };

  /** The results that are known. */
  Map<Variant, Outcome> outcomes(Collection<? extends Variant> variants, DeviceSize size);

  /** Keeps the result of a replay. */
  void keep(Variant variant, DeviceSize size, Outcome outcome);

  /** How exactly the recording is reproduced, if it is known. */
  Optional<Fidelity> fidelity();

  /** Keeps how exactly the recording is reproduced. */
  void keep(Fidelity fidelity);
}
