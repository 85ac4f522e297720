package dev.vramscope.postmortem;

import dev.vramscope.analysis.ByteText;
import dev.vramscope.postmortem.Verdict.Cause;
import dev.vramscope.postmortem.Verdict.Certainty;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Explains a request to the driver without a cache: only the free memory of the device matters. */
final class DirectVerdict {
  /** The driver rounds allocations up to multiples of this on present GPUs. */
  private static final long GRANULARITY_BYTES = 2L << 20;

  private final RequestState found;
  private final Request request;

  DirectVerdict(RequestState found) {
    this.found = found;
    request = found.request();
  }

  Verdict verdict() {
    List<String> caveats = new ArrayList<>();
    OptionalLong free = found.deviceFreeBytes();
    if (free.isEmpty()) {
      boolean isTooLarge = found.unreservedBytes().orElse(Long.MAX_VALUE) < request.roundedBytes();
      caveats.add("The free memory of the device was not recorded.");
      return isTooLarge
          ? verdict(Cause.TOO_MUCH_LIVE, Certainty.LIKELY, caveats)
          : verdict(Cause.UNKNOWN, Certainty.INCONCLUSIVE, caveats);
    }
    if (free.getAsLong() >= request.roundedBytes()) {
      return enoughFree(free.getAsLong(), caveats);
    }
    return found.outsideBytes() > found.liveBytes()
        ? verdict(Cause.OUTSIDE_ALLOCATOR, Certainty.LIKELY, caveats)
        : verdict(Cause.TOO_MUCH_LIVE, Certainty.CERTAIN, caveats);
  }

  private Verdict enoughFree(long free, List<String> caveats) {
    if (request.isRecorded()) {
      caveats.add("The device had enough free memory. A snapshot does not show why it failed.");
      return verdict(Cause.UNKNOWN, Certainty.INCONCLUSIVE, caveats);
    }
    if (free - request.roundedBytes() < GRANULARITY_BYTES) {
      caveats.add("The driver rounds sizes up, so the request may just not fit.");
    }
    if (!found.facts().isSimulated()) {
      caveats.add("Other processes may have used memory of the device since.");
    }
    Certainty certainty = RequestState.certainty(caveats);
    return new Verdict(
        Cause.FITS,
        certainty,
        found.subject(false)
            + " fits: the device has "
            + ByteText.of(free)
            + " free ("
            + certainty.label()
            + ").",
        caveats);
  }

  private Verdict verdict(Cause cause, Certainty certainty, List<String> caveats) {
    boolean isPast = request.isRecorded();
    StringBuilder text = new StringBuilder(found.subject(false));
    if (isPast) {
      text.append(" failed. ");
    } else {
      text.append(cause == Cause.UNKNOWN ? " may fit. " : " would fail. ");
    }
    text.append("Every block is an allocation of the driver; nothing is cached");
    found
        .deviceFreeBytes()
        .ifPresent(
            bytes ->
                text.append(isPast ? ". The device had " : ". The device has ")
                    .append(ByteText.of(bytes))
                    .append(" free, and clients ")
                    .append(isPast ? "held " : "hold ")
                    .append(ByteText.of(found.liveBytes())));
    return RequestState.verdict(cause, certainty, text.toString(), caveats);
  }
}
