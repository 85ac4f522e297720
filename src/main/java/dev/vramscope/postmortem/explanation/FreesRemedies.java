package dev.vramscope.postmortem.explanation;

import dev.vramscope.model.Block;
import dev.vramscope.model.StackTable;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import dev.vramscope.postmortem.explanation.Remedy.Effect;
import dev.vramscope.postmortem.explanation.Remedy.Kind;
import dev.vramscope.postmortem.explanation.Target.Section;
import dev.vramscope.postmortem.frees.FreePlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The remedies that follow from where the blocks are: the frees that would have made room, and the
 * largest request that there was room for.
 */
final class FreesRemedies {
  /** The lines of code that are named. */
  private static final int LINES = 3;

  /** More blocks than that are no advice; the details show them. */
  private static final int MOST_BLOCKS = 100;

  /** A request that had to be divided into more parts is not advised. */
  private static final int MOST_PARTS = 16;

  private final OomReport report;
  private final CodeLines code;
  private final Request request;

  FreesRemedies(OomReport report, CodeLines code) {
    this.report = report;
    this.code = code;
    request = report.request();
  }

  List<Remedy> list() {
    Cause cause = report.verdict().cause();
    if (cause == Cause.UNKNOWN || cause == Cause.FITS) {
      // The recording contradicts itself, so that it does not show what would have been enough.
      return List.of();
    }
    return Stream.of(cheapest(), largestFit()).flatMap(Optional::stream).toList();
  }

  private Optional<Remedy> cheapest() {
    return report.frees().cheapest().plans().stream()
        .findFirst()
        .filter(plan -> plan.blockCount() > 0 && plan.blockCount() <= MOST_BLOCKS)
        .map(
            plan ->
                new Remedy(
                    Kind.CHEAPEST_FREES,
                    Effect.SERVES_REQUEST,
                    free(plan),
                    Optional.empty(),
                    effectOf(plan),
                    Sentence.of(
                            "The program must be able to do without this memory at that moment,"
                                + " and later requests may fail again.")
                        .build(),
                    /* isEstimated= */ false));
  }

  /** "Free 88 MiB before attention (model.py:99) runs: 1 block allocated by cache (kv.py:5)". */
  private Sentence free(FreePlan plan) {
    Sentence.Builder text = Sentence.of("Free ");
    text.bytes(plan.freedBytes(), Section.Name.CHEAPEST_FREES).words(" before ");
    code.appendLine(text, request);
    text.words(request.stack() == StackTable.NONE ? ": " : " asks for memory: ")
        .counted(plan.blockCount(), "block");
    List<Line> lines = lines(plan);
    boolean isOne = lines.size() == 1;
    for (int i = 0; i < Math.min(LINES, lines.size()); i++) {
      text.words(i == 0 ? " allocated by " : i == lines.size() - 1 ? " and " : ", ");
      if (lines.get(i).stack == StackTable.NONE) {
        text.words("code whose stack was not recorded");
      } else {
        code.append(text, lines.get(i).stack);
      }
      if (!isOne) {
        text.words(" (").bytes(lines.get(i).bytes).words(")");
      }
    }
    if (lines.size() > LINES) {
      text.words(" and ").counted(lines.size() - LINES, "other line");
    }
    return text.words(".").build();
  }

  private Sentence effectOf(FreePlan plan) {
    Sentence.Builder text = new Sentence.Builder();
    switch (plan) {
      case FreePlan.Hole(FreePlan.Piece piece) ->
          text.words("With the free memory beside it, this gives one free piece of ")
              .bytes(piece.bytes(), Section.Name.CHEAPEST_FREES)
              .words("; the request needs ")
              .bytes(request.roundedBytes(), Section.Name.REQUEST)
              .words(" in one piece. No other place needs fewer bytes to be freed.");
      case FreePlan.Release release ->
          text.words("This empties ")
              .counted(release.pieces().size(), isExpandable(release) ? "page range" : "segment")
              .words(" (")
              .bytes(release.releasedBytes(), Section.Name.CHEAPEST_FREES)
              .words(
                  "), which the allocator then returns to the GPU. With what the GPU had left, that"
                      + " is enough for the request. ")
              .words(
                  release.isLeast()
                      ? "Less would not be enough."
                      : "Freeing other blocks of fewer bytes may be enough, too.");
    }
    return text.build();
  }

  private static boolean isExpandable(FreePlan plan) {
    return plan.pieces().stream().anyMatch(piece -> piece.segment().expandable());
  }

  /** The bytes to free that one line allocated. */
  private record Line(int stack, long bytes) {}

  /** The most bytes first. */
  private List<Line> lines(FreePlan plan) {
    Map<Integer, Line> lines = new LinkedHashMap<>();
    for (FreePlan.Piece piece : plan.pieces()) {
      for (Block block : piece.blocks()) {
        lines.merge(
            code.lineNumber(block.stack()),
            new Line(block.stack(), block.bytes()),
            (sum, next) -> new Line(sum.stack, sum.bytes + next.bytes));
      }
    }
    List<Line> sorted = new ArrayList<>(lines.values());
    sorted.sort(Comparator.comparingLong(Line::bytes).reversed());
    return sorted;
  }

  private Optional<Remedy> largestFit() {
    long fits = report.frees().largestFit().atLeastBytes();
    if (report.verdict().cause() == Cause.REQUEST_EXCEEDS_DEVICE
        || fits >= request.requestedBytes()
        || fits * MOST_PARTS < request.requestedBytes()) {
      return Optional.empty();
    }
    Sentence.Builder action = Sentence.of("Ask for at most ");
    action.bytes(fits).words(" at a time: divide the work of ");
    code.appendLine(action, request);
    action.words(", for example into smaller batches.");
    return Optional.of(
        new Remedy(
            Kind.SMALLER_REQUEST,
            Effect.SERVES_REQUEST,
            action.build(),
            Optional.empty(),
            Sentence.of("At that moment a request of up to ")
                .bytes(fits, Section.Name.CHEAPEST_FREES)
                .words(" would have been served; this one was for ")
                .bytes(request.requestedBytes(), Section.Name.REQUEST)
                .words(".")
                .build(),
            Sentence.of("The parts take turns: they must not all be held at the same time.")
                .build(),
            /* isEstimated= */ false));
  }
}
