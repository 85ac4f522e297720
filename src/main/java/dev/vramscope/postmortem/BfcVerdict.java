package dev.vramscope.postmortem;

import dev.vramscope.analysis.ByteText;
import dev.vramscope.postmortem.Verdict.Cause;
import dev.vramscope.postmortem.Verdict.Certainty;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Explains a request to XLA's BFC allocator: any free chunk that is large enough serves it;
 * otherwise the pool grows by a region, within its limit.
 */
final class BfcVerdict {
  private final RequestState found;
  private final Request request;
  private final FreeBytes free;

  BfcVerdict(RequestState found) {
    this.found = found;
    request = found.request();
    free = found.free();
  }

  Verdict verdict() {
    List<String> caveats = new ArrayList<>();
    found.state().findings().forEach(finding -> caveats.add(finding.message()));
    return request.isRecorded() ? explainFailure(caveats) : checkFit(caveats);
  }

  private Verdict explainFailure(List<String> caveats) {
    if (free.largestUsable() >= request.roundedBytes()) {
      caveats.add(
          "The largest free chunk was large enough. With enable_spatial_partitioning it may belong"
              + " to the other end of its region.");
      return verdict(Cause.UNKNOWN, Certainty.INCONCLUSIVE, caveats);
    }
    return cause(caveats);
  }

  private Verdict checkFit(List<String> caveats) {
    if (free.largestUsable() >= request.roundedBytes()) {
      return new Verdict(
          Cause.FITS,
          RequestState.certainty(caveats),
          found.subject(false)
              + " fits into a free chunk; the largest has "
              + ByteText.of(free.largestUsable())
              + " ("
              + RequestState.certainty(caveats).label()
              + ").",
          caveats);
    }
    if (!found.isWithinLimit(request.roundedBytes())) {
      return cause(caveats);
    }
    OptionalLong deviceFree = found.deviceFreeBytes();
    if (deviceFree.isPresent() && deviceFree.getAsLong() < request.roundedBytes()) {
      return cause(caveats);
    }
    caveats.add(
        "The pool would grow by a region of at least "
            + ByteText.of(request.roundedBytes())
            + ". Its size depends on the regions before it, which a snapshot does not contain.");
    // The size is reduced by a tenth until the device provides it, so the request may be skipped.
    boolean isAmple =
        deviceFree.isPresent() && deviceFree.getAsLong() / 10 * 9 > request.roundedBytes();
    return isAmple
        ? new Verdict(
            Cause.FITS,
            Certainty.LIKELY,
            found.subject(false)
                + " fits into a new region; the device has "
                + ByteText.of(deviceFree.getAsLong())
                + " free (likely).",
            caveats)
        : verdict(Cause.UNKNOWN, Certainty.INCONCLUSIVE, caveats);
  }

  private Verdict cause(List<String> caveats) {
    if (free.usable() >= request.roundedBytes()) {
      return verdict(Cause.FRAGMENTATION, RequestState.certainty(caveats), caveats);
    }
    OptionalLong deviceFree = found.deviceFreeBytes();
    boolean isDeviceAmple =
        deviceFree.isPresent() && deviceFree.getAsLong() >= request.roundedBytes();
    if (isDeviceAmple && !found.isWithinLimit(request.roundedBytes())) {
      return verdict(Cause.LIMIT, RequestState.certainty(caveats), caveats);
    }
    if (deviceFree.isEmpty()) {
      caveats.add("The free memory of the device was not recorded.");
    }
    return found.outsideBytes() > found.liveBytes()
        ? verdict(Cause.OUTSIDE_ALLOCATOR, Certainty.LIKELY, caveats)
        : verdict(Cause.TOO_MUCH_LIVE, RequestState.certainty(caveats), caveats);
  }

  private Verdict verdict(Cause cause, Certainty certainty, List<String> caveats) {
    boolean isPast = request.isRecorded();
    StringBuilder text = new StringBuilder(found.subject(false));
    if (isPast) {
      text.append(" failed. ");
    } else {
      text.append(cause == Cause.UNKNOWN ? " fits into no free chunk. " : " would fail. ");
    }
    text.append(ByteText.of(free.usable()))
        .append(isPast ? " was" : " is")
        .append(" free in chunks");
    if (free.usable() > 0) {
      text.append(", the largest of ").append(ByteText.of(free.largestUsable()));
    }
    text.append("; the pool").append(isPast ? " had " : " has ");
    text.append(ByteText.of(found.ledger().reservedBytes()));
    found
        .facts()
        .limitBytes()
        .ifPresent(limit -> text.append(" of its limit of ").append(ByteText.of(limit)));
    found
        .deviceFreeBytes()
        .ifPresent(
            bytes ->
                text.append("; the device")
                    .append(isPast ? " had " : " has ")
                    .append(ByteText.of(bytes))
                    .append(" free"));
    return RequestState.verdict(cause, certainty, text.toString(), caveats);
  }
}
