package dev.vramscope.postmortem.cause;

import dev.vramscope.model.ByteText;
import dev.vramscope.model.Certainty;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.List;
import java.util.OptionalLong;

/**
 * Whether the driver would serve a hypothetical request without a cache: only the free memory of
 * the device matters.
 */
public final class DirectFit {
  /** The driver rounds allocations up to multiples of this on present GPUs. */
  public static final long GRANULARITY_BYTES = 2L << 20;

  private final RequestState state;
  private final Request request;
  private final Failure failure;

  public DirectFit(RequestState state, Failure failure) {
    this.state = state;
    this.failure = failure;
    request = state.request();
  }

  public Diagnosis diagnosis() {
    List<String> caveats = failure.caveats();
    OptionalLong free = state.deviceFreeBytes();
    if (free.isEmpty()) {
      boolean isTooLarge = state.unreservedBytes().orElse(Long.MAX_VALUE) < request.roundedBytes();
      if (isTooLarge) {
        return failure.causes(caveats);
      }
      caveats.add("The free memory of the device was not recorded.");
      return failure.unknown(UndecidedOutcome.MAY_FIT, caveats);
    }
    if (free.getAsLong() < request.roundedBytes()) {
      return failure.causes(caveats);
    }
    if (free.getAsLong() - request.roundedBytes() < GRANULARITY_BYTES) {
      caveats.add("The driver rounds sizes up, so the request may just not fit.");
    }
    if (!state.facts().isSimulated()) {
      caveats.add("Other processes may have used memory of the device since.");
    }
    Certainty certainty = RequestState.certainty(caveats);
    String sentence =
        state.subject()
            + " fits: the device has "
            + ByteText.of(free.getAsLong())
            + " free ("
            + certainty.label()
            + ").";
    return Diagnosis.only(new Verdict(Cause.FITS, certainty, sentence, caveats));
  }
}
