package dev.vramscope.postmortem.cause;

import dev.vramscope.model.ByteText;
import dev.vramscope.model.Certainty;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.List;
import java.util.OptionalLong;

/**
 * Whether XLA's BFC allocator would serve a hypothetical request: any free chunk that is large
 * enough serves it; otherwise the pool grows by a region, within its limit.
 */
public final class BfcFit {
  private final RequestState state;
  private final Request request;
  private final FreeBytes free;
  private final Failure failure;

  public BfcFit(RequestState state, Failure failure) {
    this.state = state;
    this.failure = failure;
    request = state.request();
    free = state.free();
  }

  public Diagnosis diagnosis() {
    List<String> caveats = failure.caveats();
    if (free.largestUsable() >= request.roundedBytes()) {
      String how = " fits into a free chunk; the largest has " + ByteText.of(free.largestUsable());
      return fits(how, RequestState.certainty(caveats), caveats);
    }
    OptionalLong deviceFree = state.deviceFreeBytes();
    boolean isDeviceShort =
        deviceFree.isPresent() && deviceFree.getAsLong() < request.roundedBytes();
    if (isDeviceShort || !state.isWithinLimit(request.roundedBytes())) {
      return failure.causes(caveats);
    }
    caveats.add(
        "The pool would grow by a region of at least "
            + ByteText.of(request.roundedBytes())
            + ". Its size depends on the regions before it, which a snapshot does not contain.");
    // The size is reduced by a tenth until the device provides it, so the request may be skipped.
    boolean isAmple =
        deviceFree.isPresent() && deviceFree.getAsLong() / 10 * 9 > request.roundedBytes();
    return isAmple
        ? fits(
            " fits into a new region; the device has "
                + ByteText.of(deviceFree.getAsLong())
                + " free",
            Certainty.LIKELY,
            caveats)
        : failure.unknown(UndecidedOutcome.FITS_INTO_NO_FREE_CHUNK, caveats);
  }

  private Diagnosis fits(String how, Certainty certainty, List<String> caveats) {
    String sentence = state.subject() + how + " (" + certainty.label() + ").";
    return Diagnosis.only(new Verdict(Cause.FITS, certainty, sentence, caveats));
  }
}
