package dev.vramscope.web.compiled;

import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.scaling.LargestSize;
import dev.vramscope.compiled.scaling.ProgramPlan;
import dev.vramscope.compiled.scaling.ProgramPlan.Place;
import dev.vramscope.compiled.scaling.SizedProgram;
import dev.vramscope.compiled.scaling.UseTrend;
import dev.vramscope.compiled.scaling.UseTrend.Basis;
import dev.vramscope.model.SentenceCase;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.web.display.DisplayFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A plan from compiled programs in sentences. No prediction is called certain. */
final class ProgramPlanAnswer {
  private static final DisplayFormat FORMAT = new DisplayFormat();

  /** Buffers with an unknown growth that are worth a sentence, as a part of the bytes. */
  private static final double NOTABLE_PART = 0.01;

  private static final int MOST_NOTES = 10;

  private ProgramPlanAnswer() {}

  static List<String> sentences(
      String name,
      List<ProgramPlanView.Prediction> predictions,
      ProgramPlanView.@Nullable Largest largest,
      ProgramPlan plan) {
    List<String> sentences = new ArrayList<>();
    if (largest != null) {
      sentences.add(largest(name, largest, plan));
    }
    predictions.forEach(each -> sentences.add(prediction(name, each)));
    return sentences;
  }

  private static String largest(String name, ProgramPlanView.Largest largest, ProgramPlan plan) {
    String memory =
        FORMAT.bytes(largest.memoryBytes())
            + (largest.othersBytes() == 0
                ? ""
                : " of which others hold " + FORMAT.bytes(largest.othersBytes()));
    if (largest.end() == LargestSize.End.NONE) {
      return "No " + name + " fits " + memory + ".";
    }
    if (largest.end() == LargestSize.End.EVERY) {
      return "Every "
          + name
          + " fits "
          + memory
          + ": as far as these programs tell, memory does"
          + " not grow with it.";
    }
    String range = FORMAT.count(largest.least()) + " to " + FORMAT.count(largest.most());
    Long value = largest.value();
    if (value == null) {
      return "The largest "
          + name
          + " that fits "
          + memory
          + " is one of "
          + range
          + (largest.least() == 0 ? ", if any" : "")
          + ": no law fits these programs, so it cannot be said closer.";
    }
    return "The largest "
        + name
        + " that fits "
        + memory
        + " is "
        + FORMAT.count(value)
        + (largest.least() == largest.most() ? "" : " (" + range + ")")
        + ", "
        + placed(plan.place(value))
        + ": "
        + sureness(plan.certainty(value))
        + ".";
  }

  private static String prediction(String name, ProgramPlanView.Prediction prediction) {
    ProgramPlanView.Bytes bytes = prediction.bytes();
    String value = SentenceCase.of(name) + " " + FORMAT.count(prediction.value());
    if (prediction.place() == Place.COMPILED) {
      return value + " needs " + FORMAT.bytes(bytes.mostBytes()) + ", as its program states.";
    }
    String range = FORMAT.bytes(bytes.leastBytes()) + " to " + FORMAT.bytes(bytes.mostBytes());
    Long likely = bytes.bytes();
    return value
        + " needs "
        + (likely == null
            ? range
            : "about " + FORMAT.bytes(likely) + (bytes.isRange() ? " (" + range + ")" : ""))
        + ", "
        + placed(prediction.place())
        + times(prediction)
        + ": "
        + sureness(prediction.certainty())
        + ".";
  }

  private static String times(ProgramPlanView.Prediction prediction) {
    double times = prediction.times();
    return switch (prediction.place()) {
      case ABOVE -> String.format(Locale.ROOT, " (%s× the largest program)", number(times));
      case BELOW -> String.format(Locale.ROOT, " (%s× the smallest program)", number(times));
      case COMPILED, BETWEEN -> "";
    };
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value).replaceFirst("\\.?0+$", "");
  }

  private static String placed(Place place) {
    return switch (place) {
      case COMPILED -> "which was compiled";
      case BETWEEN -> "interpolated";
      case ABOVE, BELOW -> "extrapolated";
    };
  }

  private static String sureness(ProgramPlan.Certainty certainty) {
    return switch (certainty) {
      case STATED -> "stated";
      case LIKELY -> "likely";
      case ASSUMED -> "an assumption, which nothing checks";
      case DOUBTFUL -> "doubtful";
    };
  }

  /** What was checked, and what was not. */
  static List<String> checks(ProgramPlan plan, String name) {
    List<String> checks = new ArrayList<>();
    UseTrend temporary = plan.trends().get(AllocationUse.TEMPORARY);
    if (temporary != null) {
      checks.add(temporary(temporary, plan, name));
    }
    if (plan.unmatchedPart() > NOTABLE_PART) {
      checks.add(
          String.format(
              Locale.ROOT,
              "%.0f %% of the bytes of temporary buffers have a shape that no other program has;"
                  + " they are taken as proportional to %s.",
              100 * plan.unmatchedPart(),
              name));
    }
    if (!plan.isOfBuffers()) {
      checks.add(
          "With buffer-assignment.txt and live-range.txt of each program, each buffer would be"
              + " scaled by its shape, which is closer.");
    }
    if (plan.isOfSums()) {
      checks.add("memory_analysis() leaves constants and memory of threads out.");
    }
    checks.add(
        "Not checked: whether the compiler fuses, orders and packs the program in the same way at"
            + " another "
            + name
            + ". Temporary memory can jump there; compile the value that you choose.");
    return checks;
  }

  private static String temporary(UseTrend trend, ProgramPlan plan, String name) {
    int count = plan.programs().size();
    String heldOut = FORMAT.bytes(Math.max(0, trend.heldOutBytes()));
    return switch (trend.basis()) {
      case SAME -> "Temporary memory is the same in all " + count + " programs.";
      case BUFFERS ->
          "Each temporary buffer grows with the dimensions that differ between the programs, and"
              + " the position with the most of them decides. Checked: each program, scaled,"
              + " predicts the temporary memory of its neighbours; the largest difference is "
              + heldOut
              + String.format(
                  Locale.ROOT,
                  ", and the range is %.1f %% of it for each doubling of %s",
                  100 * trend.partByDoubling(),
                  name)
              + ".";
      case LINE, NEAR_LINE, SQUARE ->
          "Temporary memory is on "
              + trend.basis().label().replaceFirst(" that .*", "")
              + " to within "
              + FORMAT.bytes(trend.residualBytes())
              + (trend.heldOutBytes() < 0
                  ? "."
                  : "; the largest program, predicted by the others, differs by " + heldOut + ".");
      case ASSUMED_LINE ->
          "Two programs determine a line, and nothing checks that temporary memory is on it; a"
              + " third program would.";
      case NONE ->
          "The temporary memory of these programs is on no line"
              + (count > 3 ? " and no square" : ", and three programs do not check a square")
              + ": only ranges are given.";
    };
  }

  /** What speaks against an answer. */
  static List<String> notes(ProgramPlan plan, List<ChosenProgram> chosen) {
    List<String> notes = new ArrayList<>();
    if (plan.hasDifferentNames()) {
      notes.add(
          "The names of these programs differ in more than numbers: are they of one function?");
    }
    if (plan.trends().values().stream().anyMatch(each -> each.basis() == Basis.NONE)) {
      String uses =
          plan.trends().entrySet().stream()
              .filter(each -> each.getValue().basis() == Basis.NONE)
              .map(each -> each.getKey().label())
              .collect(Collectors.joining(", "));
      notes.add("No law fits: " + uses + ". Add programs, or choose those of one function.");
    }
    for (SizedProgram each : plan.programs()) {
      for (Finding finding : each.program().findings()) {
        notes.add(each.name() + ": " + finding.message());
      }
    }
    TreeSet<String> platforms = new TreeSet<>();
    chosen.forEach(each -> platforms.add(each.platform()));
    platforms.remove("");
    if (!platforms.isEmpty()) {
      notes.add(
          "Compiled for "
              + String.join(" and ", platforms)
              + ": on another platform the compiler fuses and packs otherwise.");
    }
    return notes.stream().limit(MOST_NOTES).toList();
  }
}
