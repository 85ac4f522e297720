package dev.vramscope.plan;

import dev.vramscope.model.ByteText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What an answer stands on, in sentences. */
public final class AnswerBasisText {
  private AnswerBasisText() {}

  /** The name of a site in a table. */
  public static String site(Growth.Row row) {
    return row.frame() == null
        ? (row.isBefore() ? "from before the recording" : "no recorded stack")
        : PlaceText.of(row.frame());
  }

  /** The most important sentence first. */
  public static List<String> of(PlanAnswer answer) {
    List<String> sentences = new ArrayList<>();
    for (PlanAnswer.Check check : answer.checks()) {
      if (check.isKnown() && !check.isExact()) {
        sentences.add(
            "The plan does not give a recorded peak again: " + Confidence.failed(check) + ".");
      }
    }
    answer
        .certainty()
        .doubts()
        .forEach(
            doubt -> {
              if (answer.certainty().level() == Confidence.Level.DOUBTFUL
                  && sentences.stream().noneMatch(sentence -> sentence.contains(doubt))) {
                sentences.add("Doubtful: " + doubt + ".");
              }
            });
    sentences.addAll(of(answer.basis()));
    return sentences;
  }

  /** What is known without replays. */
  static List<String> of(AnswerBasis basis) {
    List<String> sentences = new ArrayList<>();
    sentences.add(reach(basis));
    sentences.add(sizes(basis));
    for (AnswerBasis.Pair pair : basis.pairs()) {
      sentences.add(pair(basis, pair));
    }
    sentences.add(
        basis.hasSteadyStep()
            ? "Each recording has a step that recurs unchanged, so memory does not grow from step"
                + " to step."
            : "Not every recording has a step that recurs unchanged. Memory that appears in later"
                + " steps, such as the state of an optimizer after the first one, is missing here."
                + " Record at least three steps.");
    sentences.addAll(basis.notes());
    return sentences;
  }

  private static String reach(AnswerBasis basis) {
    String sequence =
        " The sequence of requests is that of " + basis.template().values().label() + ".";
    return switch (basis.reach()) {
      case RECORDED -> "These values were recorded." + sequence;
      case INTERPOLATED -> "The values lie between recorded ones." + sequence;
      case EXTRAPOLATED ->
          basis.factor() == 1
              ? "No recording is at such values of all parameters together: the values lie outside"
                  + " of what the recordings span."
                  + sequence
              : String.format(
                  Locale.ROOT,
                  "The values are %.1f times beyond the recorded ones: kernels may choose other"
                      + " algorithms there.%s",
                  basis.factor(),
                  sequence);
    };
  }

  private static String sizes(AnswerBasis basis) {
    List<String> parts = new ArrayList<>();
    add(parts, basis.live().constant(), "the same in all recordings");
    add(parts, basis.live().checked(), "of sizes that fit all recordings exactly");
    add(
        parts,
        basis.live().unchecked(),
        "of sizes taken as linear, which two values cannot check; a third recording would");
    add(
        parts,
        basis.live().workspace(),
        "of workspaces of kernels, which grow only until the kernels fill the GPU");
    add(
        parts,
        basis.live().approximate(),
        "of sizes that are approximated, by " + ByteText.of(basis.live().residual()) + " together");
    add(
        parts,
        basis.live().assumed(),
        "of allocations that not all recordings have, whose growth is taken from others");
    return "Of "
        + ByteText.of(basis.live().all())
        + " requested at the peak: "
        + String.join("; ", parts)
        + ".";
  }

  private static void add(List<String> parts, long bytes, String what) {
    if (bytes > 0) {
      parts.add(ByteText.of(bytes) + " " + what);
    }
  }

  private static String pair(AnswerBasis basis, AnswerBasis.Pair pair) {
    String both = basis.template().values().label() + " and " + pair.other().values().label();
    if (pair.isSame()) {
      return String.format(
          Locale.ROOT, "%s have the same %,d requests and frees.", both, pair.operations());
    }
    return String.format(
        Locale.ROOT,
        "%s differ in %,d place%s: %,d of %,d requests and frees are in the first only (%s"
            + " allocated), %,d in the second only (%s).%s",
        both,
        pair.differenceCount(),
        pair.differenceCount() == 1 ? "" : "s",
        pair.alone(),
        pair.operations(),
        ByteText.of(pair.aloneBytes()),
        pair.otherAlone(),
        ByteText.of(pair.otherAloneBytes()),
        pair.isWhole() ? "" : " They differ too much to be compared to the end.");
  }
}
