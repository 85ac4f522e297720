package dev.vramscope.web.whatif;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.vramscope.whatif.Outcome;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The result of a replay, as it is stored.
 *
 * @param failsAtEvent the recorded event of the first request that failed, or null
 * @param lastFailureAtEvent that of the last one, or null
 * @param problem why there is no result, or null; such a result is not stored
 */
record WhatIfResult(
    boolean fits,
    @Nullable Integer failsAtEvent,
    @Nullable Integer lastFailureAtEvent,
    long ooms,
    long peakReservedBytes,
    long peakAllocatedBytes,
    long driverAllocations,
    long driverFrees,
    long retries,
    @Nullable String problem) {
  static WhatIfResult of(Outcome outcome) {
    return new WhatIfResult(
        outcome.fits(),
        nullable(outcome.failsAtEvent()),
        nullable(outcome.lastFailureAtEvent()),
        outcome.ooms(),
        outcome.peakReservedBytes(),
        outcome.peakAllocatedBytes(),
        outcome.driverAllocations(),
        outcome.driverFrees(),
        outcome.retries(),
        null);
  }

  private static @Nullable Integer nullable(OptionalInt event) {
    return event.isPresent() ? event.getAsInt() : null;
  }

  private static OptionalInt optional(@Nullable Integer event) {
    return event == null ? OptionalInt.empty() : OptionalInt.of(event);
  }

  /** What the replay gave; only for a known result. */
  Outcome outcome() {
    return new Outcome(
        fits,
        optional(failsAtEvent),
        optional(lastFailureAtEvent),
        ooms,
        peakReservedBytes,
        peakAllocatedBytes,
        driverAllocations,
        driverFrees,
        retries);
  }

  static WhatIfResult failed(String problem) {
    return new WhatIfResult(false, null, null, 0, 0, 0, 0, 0, 0, problem);
  }

  @JsonIgnore
  public boolean isKnown() {
    return problem == null;
  }

  /** Calls of the driver that acquire or release memory. */
  @JsonIgnore
  public long driverCalls() {
    return driverAllocations + driverFrees;
  }
}
