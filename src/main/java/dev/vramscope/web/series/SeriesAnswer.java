package dev.vramscope.web.series;

import dev.vramscope.analysis.series.CodePlace;
import dev.vramscope.analysis.series.Imbalance;
import dev.vramscope.analysis.series.PlaceSeries;
import dev.vramscope.analysis.series.Series;
import dev.vramscope.analysis.series.SeriesRecording;
import dev.vramscope.web.display.DisplayFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The answer of a series in sentences: how much grew, which code holds it, what was compiled, which
 * device differs. Nothing is said that the recordings do not contain.
 */
final class SeriesAnswer {
  private static final DisplayFormat FORMAT = new DisplayFormat();
  private static final int MOST_PLACES = 3;

  private final Series series;
  private final List<String> sentences = new ArrayList<>();

  private SeriesAnswer(Series series) {
    this.series = series;
  }

  /** At least one sentence; the first is about the whole. */
  static List<String> of(Series series) {
    SeriesAnswer answer = new SeriesAnswer(series);
    answer.total();
    answer.growth();
    answer.held();
    answer.compiled();
    answer.uneven();
    return answer.sentences;
  }

  private void total() {
    long change = series.changeBytes();
    SeriesRecording peak = series.recordings().get(series.peak());
    String most =
        peak.bytes() > Math.max(series.first().bytes(), series.last().bytes())
            ? " The most was " + FORMAT.bytes(peak.bytes()) + ", at " + moment(series.peak()) + "."
            : "";
    sentences.add(
        (change == 0
                ? "Live memory is the same at the first and the last recording: "
                : "Live memory "
                    + changedBy(change)
                    + ": from "
                    + FORMAT.bytes(series.first().bytes())
                    + " to ")
            + FORMAT.bytes(series.last().bytes())
            + "."
            + most);
  }

  private void growth() {
    List<PlaceSeries> growing = series.growing();
    if (growing.isEmpty()) {
      sentences.add(
          "No line of code holds more from one recording to the next once it holds memory.");
      return;
    }
    for (PlaceSeries place : growing.subList(0, Math.min(MOST_PLACES, growing.size()))) {
      sentences.add(sentence(place));
    }
    if (growing.size() > MOST_PLACES) {
      sentences.add(
          FORMAT.counted(growing.size() - MOST_PLACES, "more line")
              + " of code grew by less; the table has them.");
    }
  }

  /** What the last recording holds and the first did not, and what never grew. */
  private void held() {
    List<PlaceSeries> held =
        series.places().stream()
            .filter(place -> place.place().isKnown() && place.growthCount() == 0)
            .filter(place -> place.bytes(0) == 0 && place.changeBytes() > 0)
            .sorted(Comparator.comparingLong(PlaceSeries::changeBytes).reversed())
            .toList();
    if (!held.isEmpty()) {
      sentences.add(
          "Allocated once and held to the end: "
              + held.stream()
                  .limit(MOST_PLACES)
                  .map(
                      place ->
                          name(place.place())
                              + " ("
                              + FORMAT.bytes(place.changeBytes())
                              + " in "
                              + FORMAT.counted(
                                  place.count(series.recordings().size() - 1), "allocation")
                              + ", since "
                              + moment(place.firstHeld())
                              + ")")
                  .collect(Collectors.joining(", "))
              + (held.size() > MOST_PLACES ? " and others" : "")
              + ".");
    }
  }

  private String sentence(PlaceSeries place) {
    int first = place.firstGrowth().orElseThrow();
    int last = place.lastGrowth().orElseThrow();
    int end = series.recordings().size() - 1;
    long allocations = place.count(last) - place.count(first - 1);
    OptionalLong slope = place.bytesPerStep(series.steps());
    String rate =
        series.hasSteps() && slope.isPresent()
            ? ", about " + FORMAT.bytes(slope.getAsLong()) + " a step"
            : "";
    String after =
        last == end
            ? "; it still grew in the last recording"
            : place.isHeldAtEnd()
                ? "; it has not grown since"
                : place.bytes(end) == 0
                    ? "; at the end it holds nothing"
                    : "; at the end it holds " + FORMAT.bytes(place.bytes(end));
    return name(place.place())
        + " grew by "
        + FORMAT.bytes(place.grownBytes())
        + " after it first held memory ("
        + FORMAT.count(place.count(first - 1))
        + " → "
        + FORMAT.counted(place.count(last), "allocation")
        + ")"
        + (allocations > 0 && place.growthCount() == 1
            ? ", " + FORMAT.bytes(place.grownBytes() / allocations) + " each"
            : "")
        + rate
        + ": "
        + (place.growthCount() == 1
            ? "between " + moment(first - 1) + " and " + moment(first)
            : FORMAT.counted(place.growthCount(), "time")
                + ", first at "
                + moment(first)
                + " and last at "
                + moment(last))
        + after
        + ".";
  }

  private void compiled() {
    Optional<Series.Compilations> most = series.compilations();
    most.map(this::compiled).ifPresent(sentences::add);
    most.flatMap(_ -> series.clearedPrograms()).map(this::cleared).ifPresent(sentences::add);
  }

  private String compiled(Series.Compilations most) {
    long bytes = series.changeBytes(most.recording());
    return FORMAT.count(most.after() - most.before())
        + " programs were compiled between "
        + moment(most.recording() - 1)
        + " and "
        + moment(most.recording())
        + " ("
        + FORMAT.count(most.before())
        + " → "
        + FORMAT.count(most.after())
        + "), and live arrays "
        + (bytes == 0 ? "did not change" : changedBy(bytes))
        + ". So many mean that a function is traced again and again, usually for each new shape,"
        + " Python value or new function object. Programs hold code and constants of their own;"
        + " jax.clear_caches() frees programs, but no live array.";
  }

  private String cleared(Series.Compilations programs) {
    long bytes = series.changeBytes(programs.recording());
    return "At "
        + moment(programs.recording())
        + " the programs fell from "
        + FORMAT.count(programs.before())
        + " to "
        + FORMAT.count(programs.after())
        + ", as after jax.clear_caches(); "
        + (bytes == 0
            ? "no array was freed by it."
            : "live arrays " + changedBy(bytes) + " in the same interval.");
  }

  private static String changedBy(long bytes) {
    return (bytes > 0 ? "grew by " : "shrank by ") + FORMAT.bytes(Math.abs(bytes));
  }

  private void uneven() {
    List<Imbalance> imbalances = series.imbalances();
    if (imbalances.isEmpty()) {
      return;
    }
    Imbalance most = imbalances.getFirst();
    long devices = imbalances.stream().map(Imbalance::device).distinct().count();
    sentences.add(
        "Devices differ: "
            + most.device()
            + " holds "
            + FORMAT.bytes(most.excessBytes())
            + " more than the median of the others at "
            + name(most.place())
            + (devices > 1 ? "; other devices hold more at other lines" : "")
            + " (table below).");
  }

  /** How a recording is called in a sentence. */
  private String moment(int recording) {
    SeriesRecording each = series.recordings().get(recording);
    return series.hasSteps() ? "step " + FORMAT.count(each.step().orElseThrow()) : each.name();
  }

  static String name(CodePlace place) {
    if (!place.isKnown()) {
      return place.equals(CodePlace.OTHERS) ? "smaller lines together" : "code without a stack";
    }
    return place.function()
        + (place.file().isEmpty() ? "" : " " + FORMAT.fileName(place.file()))
        + (place.line() > 0 ? ":" + place.line() : "");
  }
}
