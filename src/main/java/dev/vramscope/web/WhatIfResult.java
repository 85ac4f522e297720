package dev.vramscope.web;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.vramscope.whatif.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The result of a replay, as it is stored.
 *
 * @param failsAtEvent the recorded event of the first request that failed, or null
 * @param problem why there is no result, or null; such a result is not stored
 */
record WhatIfResult(
    boolean fits,
    @Nullable Integer failsAtEvent,
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
        outcome.failsAtEvent().isPresent() ? outcome.failsAtEvent().getAsInt() : null,
        outcome.ooms(),
        outcome.peakReservedBytes(),
        outcome.peakAllocatedBytes(),
        outcome.driverAllocations(),
        outcome.driverFrees(),
        outcome.retries(),
        null);
  }

  static WhatIfResult failed(String problem) {
    return new WhatIfResult(false, null, 0, 0, 0, 0, 0, 0, problem);
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
