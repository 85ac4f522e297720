package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.ActiveCurve;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.model.Trace;
import dev.vramscope.web.display.DisplayFormat;
import java.util.List;
import java.util.function.Function;

/**
 * A fact about both sides, as text; {@code unknown} where the file does not contain it.
 *
 * @param term the glossary's id of the name; empty if it is no term
 */
record ComparedFact(String name, String term, String a, String b) {
  private static final String UNKNOWN = "unknown";
  private static final DisplayFormat FORMAT = new DisplayFormat();

  public boolean isDifferent() {
    return !a.equals(b);
  }

  static List<ComparedFact> of(Comparison comparison) {
    return List.of(
        fact("Written by", "", comparison, side -> side.loaded().snapshot().origin().producer()),
        fact("Allocator", "", comparison, side -> side.device().family().label()),
        fact("Device", "device", comparison, ComparedFact::deviceSize),
        fact("Events", "event", comparison, side -> FORMAT.count(trace(side).size())),
        fact("Recorded time", "", comparison, ComparedFact::length),
        fact("Allocations", "", comparison, side -> FORMAT.count(side.device().lifetimes().size())),
        fact("Peak, requested", "peak", comparison, ComparedFact::peak),
        fact("Peak reserved", "reserved", comparison, ComparedFact::peakReserved),
        fact(
            "Failed requests",
            "oom",
            comparison,
            side ->
                side.device().hasEvents() || side.device().device().isFailedRequestUnknown()
                    ? FORMAT.count(side.device().device().failedRequestCount())
                    : UNKNOWN));
  }

  private static ComparedFact fact(
      String name, String term, Comparison comparison, Function<ComparedDevice, String> value) {
    return new ComparedFact(name, term, value.apply(comparison.a()), value.apply(comparison.b()));
  }

  private static Trace trace(ComparedDevice side) {
    return side.device().device().trace();
  }

  private static String deviceSize(ComparedDevice side) {
    String ordinal = side.device().ordinal() + ", ";
    if (side.device().isSizeRecorded()) {
      return ordinal + FORMAT.bytes(side.device().device().facts().deviceBytes().orElse(0));
    }
    return ordinal
        + side.device()
            .evidence()
            .combined()
            .size()
            .map(size -> FORMAT.bytes(size.bytes()))
            .orElse("size unknown");
  }

  private static String length(ComparedDevice side) {
    long micros = ActiveCurve.lengthMicros(trace(side));
    return micros == Trace.NO_TIME ? UNKNOWN : FORMAT.duration(micros);
  }

  private static String peak(ComparedDevice side) {
    return side.device().hasEvents() ? FORMAT.bytes(side.device().active().peakBytes()) : UNKNOWN;
  }

  private static String peakReserved(ComparedDevice side) {
    long bytes = side.device().active().peakReservedBytes();
    return side.device().hasEvents() && bytes != ActiveBytes.UNKNOWN
        ? FORMAT.bytes(bytes)
        : UNKNOWN;
  }
}
