package dev.vramscope.plan;

import dev.vramscope.model.ByteText;
import dev.vramscope.model.SentenceCase;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Answers in sentences, for pages and the command line. */
public final class PlanSentence {
  private static final int NAMED_SITES = 3;
  private static final int NAMED_VALUES = 6;

  private PlanSentence() {}

  /** The answer to the whole question in one or two sentences. */
  public static String of(PlanAnswer answer) {
    LargestValue largest = answer.firstLargest();
    String searchSentence = largest == null ? "" : of(largest);
    String predictionSentence =
        answer.predictions().isEmpty() ? "" : of(answer.predictions().getFirst());
    String both =
        predictionSentence.isEmpty() || searchSentence.isEmpty()
            ? predictionSentence + searchSentence
            : predictionSentence + " " + searchSentence;
    Confidence certainty = answer.certainty();
    return switch (certainty.level()) {
      case EXACT ->
          both
              + " This is exact if the program does the same there: all sizes follow exact laws,"
              + " and the recorded peaks are planned to the byte.";
      case LIKELY -> both + " This is likely, not proven: " + certainty.doubts().getFirst() + ".";
      case DOUBTFUL -> "Doubtful: " + certainty.doubts().getFirst() + ". " + both;
    };
  }

  /** What one value needs, and whether it fits. */
  public static String of(Prediction prediction) {
    String needed = needed(prediction);
    if (!prediction.size().isLimited()) {
      return String.format(
          Locale.ROOT,
          "%s needs %s: %s allocated at the peak.",
          SentenceCase.of(prediction.values().label()),
          needed,
          (prediction.isLowerBound() ? "at least " : "")
              + ByteText.of(prediction.allocatedBytes()));
    }
    long available = prediction.size().totalBytes().orElse(0) - prediction.size().othersBytes();
    if (!prediction.fits()) {
      return String.format(
          Locale.ROOT,
          "%s does not fit %s: it needs %s%s.",
          SentenceCase.of(prediction.values().label()),
          device(prediction),
          needed,
          failing(prediction));
    }
    return !prediction.isLowerBound() && prediction.neededBytes() <= available
        ? String.format(
            Locale.ROOT,
            "%s fits %s: it needs %s.",
            SentenceCase.of(prediction.values().label()),
            device(prediction),
            needed)
        : String.format(
            Locale.ROOT,
            "%s fits %s, but only just: the allocator releases cached memory %,d times, and would"
                + " use %s with more room.",
            SentenceCase.of(prediction.values().label()),
            device(prediction),
            prediction.outcome().retries(),
            needed);
  }

  /**
   * What a value needs. A program that needs more than any device has does not run to its end in a
   * replay either.
   */
  public static String needed(Prediction prediction) {
    return (prediction.isLowerBound() ? "more than " : "") + ByteText.of(prediction.neededBytes());
  }

  /** What is allocated at the peak. */
  public static String allocated(Prediction prediction) {
    return (prediction.isLowerBound() ? "more than " : "")
        + ByteText.of(prediction.allocatedBytes());
  }

  /** The largest value that fits. */
  public static String of(LargestValue largest) {
    String device = device(largest.size());
    if (largest.isUnlimited()) {
      return "Memory does not grow with " + largest.name() + ": every value fits " + device + ".";
    }
    Prediction failing = largest.failing();
    if (largest.value().isEmpty()) {
      return largest.end() == LargestValue.End.EXHAUSTED
          ? "No " + largest.name() + " fits " + device + "."
          : "No " + largest.name() + " that was tried fits " + device + ".";
    }
    Outcome fitting = largest.fitting();
    String holds =
        fitting == null ? "" : ", which holds " + ByteText.of(fitting.peakReservedBytes());
    if (largest.end() == LargestValue.End.AT_LEAST) {
      return String.format(
          Locale.ROOT,
          "At least %s %,d fits %s%s: larger ones are not searched.",
          largest.name(),
          largest.value().getAsLong(),
          device,
          holds);
    }
    return String.format(
        Locale.ROOT,
        "The largest %s%s that fits %s is %,d%s%s%s.%s",
        largest.name(),
        largest.end() == LargestValue.End.SAMPLED ? " found" : "",
        device,
        largest.value().getAsLong(),
        range(largest),
        holds,
        failing == null
            ? ""
            : String.format(
                Locale.ROOT,
                "; %s %,d would need %s",
                largest.name(),
                failing.values().get(largest.name()),
                needed(failing)),
        smallerFailing(largest));
  }

  /** Where the largest value lies; empty if it is known, or if nothing else is possible. */
  public static String range(LargestValue largest) {
    LargestValue.Range range = largest.range();
    return range == null || !largest.isRange()
        ? ""
        : String.format(Locale.ROOT, " (%,d to %,d)", range.least(), range.most());
  }

  /** Smaller values that fail; empty without any. */
  public static String smallerFailing(LargestValue largest) {
    List<Long> smaller = largest.smallerFailing();
    if (smaller.isEmpty()) {
      return "";
    }
    List<String> named =
        smaller.stream()
            .skip(Math.max(0, smaller.size() - NAMED_VALUES))
            .map(value -> String.format(Locale.ROOT, "%,d", value))
            .toList();
    int last = named.size() - 1;
    return String.format(
        Locale.ROOT,
        " %s%s %s although %s smaller: segments are rounded up, and the cache is emptied at other"
            + " moments.",
        last == 0 ? "" : String.join(", ", named.subList(0, last)) + " and ",
        named.getLast(),
        last == 0 ? "fails" : "fail",
        last == 0 ? "it is" : "they are");
  }

  /** Which sites grow, and what does not. */
  public static String of(Growth growth) {
    List<Growth.Row> growing =
        growth.rows().stream().filter(Growth.Row::isGrowing).limit(NAMED_SITES).toList();
    long constant =
        growth.rows().stream()
            .filter(row -> !row.isGrowing())
            .mapToLong(Growth.Row::askedBytes)
            .sum();
    if (growing.isEmpty()) {
      return "Nothing that is live at the peak grows.";
    }
    return growing.stream()
            .map(
                row ->
                    String.format(
                        Locale.ROOT,
                        "%s of %s grow with %s",
                        ByteText.of(row.askedBytes()),
                        site(row),
                        row.growthLabel()))
            .collect(Collectors.joining(", "))
        + "; "
        + ByteText.of(constant)
        + " do not grow.";
  }

  private static String site(Growth.Row row) {
    return row.frame() == null
        ? (row.isBefore() ? "blocks from before the recording" : "code without a recorded stack")
        : row.frame().name() + " (" + PlaceText.of(row.frame()).replaceFirst("^.*, ", "") + ")";
  }

  /** The line of the first request that fails; empty if nothing fails or no line is known. */
  public static String failingLine(Prediction prediction) {
    Prediction.Place place = prediction.failing();
    return place.frame() == null
        ? ""
        : (place.isBefore() ? "after " : "") + PlaceText.of(place.frame());
  }

  private static String failing(Prediction prediction) {
    Prediction.Place place = prediction.failing();
    if (place.bytes() == 0) {
      return "";
    }
    String line =
        place.frame() == null
            ? ""
            : (place.isBefore() ? ", after " : " in ") + PlaceText.of(place.frame());
    return ", and a request for " + ByteText.of(place.bytes()) + line + " fails first";
  }

  private static String device(Prediction prediction) {
    return device(prediction.size());
  }

  private static String device(DeviceSize size) {
    String others =
        size.othersBytes() == 0 ? "" : " of which others use " + ByteText.of(size.othersBytes());
    return ByteText.of(size.totalBytes().orElse(0)) + others;
  }
}
