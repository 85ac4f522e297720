package dev.vramscope.postmortem.explanation;

import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.Trace;
import dev.vramscope.postmortem.AllocatorLimit;
import dev.vramscope.postmortem.ChangedReplay;
import dev.vramscope.postmortem.ChangedReplay.Change;
import dev.vramscope.postmortem.ChangedReplay.Rest;
import dev.vramscope.postmortem.ChangedReplays;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Counterfactuals.Answer;
import dev.vramscope.postmortem.cause.Counterfactuals.Name;
import dev.vramscope.postmortem.explanation.Remedy.Effect;
import dev.vramscope.postmortem.explanation.Remedy.Kind;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The remedies that replays support: changes with which the failed request was served. */
final class ReplayedRemedies {
  /** More settings that do the same would not help a reader to choose. */
  private static final int MOST = 3;

  private final OomReport report;
  private final ChangedReplays replays;
  private final Trace trace;
  private final CodeLines code;
  private final Steps.Source steps;

  ReplayedRemedies(
      OomReport report, ChangedReplays replays, Trace trace, CodeLines code, Steps.Source steps) {
    this.steps = steps;
    this.trace = trace;
    this.code = code;
    this.report = report;
    this.replays = replays;
  }

  /** The best first: what fits, with the least memory, and with the fewest calls of the driver. */
  List<Remedy> list() {
    if (replays.recorded().passesFailure()) {
      // The replay does not reproduce the failure, so that it proves nothing about it.
      return List.of();
    }
    Set<Numbers> numbers = new HashSet<>();
    return replays.changed().stream()
        .filter(ChangedReplay::passesFailure)
        .sorted(
            Comparator.comparing((ChangedReplay replay) -> !replay.fits())
                .thenComparing(replay -> !(replay.rest() instanceof Rest.Served))
                .thenComparing(replay -> !(replay.change() instanceof Change.Settings))
                .thenComparingLong(ChangedReplay::peakReservedBytes)
                .thenComparingLong(ChangedReplay::driverCalls))
        .filter(replay -> numbers.add(Numbers.of(replay)))
        .limit(MOST)
        .map(this::remedy)
        .toList();
  }

  /** What a reader would compare: two settings with the same numbers are one choice. */
  private record Numbers(boolean isSettings, long peakReservedBytes, long driverCalls) {
    static Numbers of(ChangedReplay replay) {
      return new Numbers(
          replay.change() instanceof Change.Settings,
          replay.peakReservedBytes(),
          replay.driverCalls());
    }
  }

  /** What was tried, and what came of it. */
  Sentence note() {
    if (replays.recorded().passesFailure()) {
      return Sentence.of(
              "A replay of the recording under its own settings serves this request, so that"
                  + " replays under other settings prove nothing about it.")
          .build();
    }
    long settings =
        replays.changed().stream()
            .filter(replay -> replay.change() instanceof Change.Settings)
            .count();
    Sentence.Builder note = Sentence.of("The recorded requests were run again (");
    note.term("replay", "replayed").words(") under ").counted(settings, "other setting");
    if (settings < replays.changed().size()) {
      note.words(", and with the cache emptied at each step or before the failed one");
    }
    long passed = replays.passedCount();
    int count = replays.changed().size();
    int listed = list().size();
    if (passed == 0) {
      note.words(count == 1 ? ", which fails here, too" : ": none of them serves this request");
    } else if (count == 1) {
      note.words(", which serves this request");
    } else {
      note.words(
          String.format(
              Locale.ROOT,
              ": %,d of these %,d %s this request",
              passed,
              count,
              passed == 1 ? "serves" : "serve"));
      if (listed < passed) {
        note.words(String.format(Locale.ROOT, " (the best %,d are listed)", listed));
      }
    }
    appendLimit(note, passed);
    note.words(
            ". With the recorded settings, the replay fails here, too, and acquires and releases"
                + " memory of the GPU")
        .words(
            String.format(
                Locale.ROOT,
                " as recorded %,d of %,d times (",
                replays.fidelity().reproducedSegmentEvents(),
                replays.fidelity().segmentEvents()))
        .link("all replays", new Target.Settings(""))
        .words(replays.isExact() ? ")." : "): what replays say here is estimated.");
    return note.build();
  }

  private void appendLimit(Sentence.Builder note, long passed) {
    if (replays.limit().isEmpty()) {
      return;
    }
    AllocatorLimit limit = replays.limit().get();
    note.words(" under ")
        .words(limit.isKnown() ? "the limit of " : "the least limit that the recording shows, ")
        .bytes(limit.bytes());
    if (!limit.isKnown() && passed < replays.changed().size()) {
      note.words("; the real one may be higher");
    }
  }

  private Remedy remedy(ChangedReplay replay) {
    boolean isWhole = replay.fits() && replays.hasRequestsAfter();
    return new Remedy(
        replay.change() instanceof Change.Settings ? Kind.SETTINGS : Kind.EMPTY_CACHE,
        effect(replay, isWhole),
        action(replay.change()),
        replay.change() instanceof Change.Settings(String line)
            ? Optional.of(line)
            : Optional.empty(),
        proof(replay, isWhole),
        price(replay),
        !replays.isExactFor(replay));
  }

  /** A request that is served is of no use if the step then fails, or may fail. */
  private static Effect effect(ChangedReplay replay, boolean isWhole) {
    return switch (replay.rest()) {
      case Rest.Served _ -> isWhole ? Effect.RECORDING_FITS : Effect.PASSES_FAILURE;
      case Rest.Fails _ -> Effect.SERVES_REQUEST;
      case Rest.Unknown _ -> isWhole ? Effect.RECORDING_FITS : Effect.SERVES_REQUEST;
    };
  }

  private static Sentence action(Change change) {
    return switch (change) {
      case Change.Settings(String line) ->
          Sentence.of("Set the environment variable ")
              .code("PYTORCH_CUDA_ALLOC_CONF=" + line, new Target.Settings(line))
              .words(" before the program starts.")
              .build();
      case Change.EmptyEachStep() ->
          Sentence.of("Call ")
              .code("torch.cuda.empty_cache()")
              .words(" at the start of each step.")
              .build();
      case Change.EmptyBeforeRetry() ->
          Sentence.of("When the request fails, leave the except block, call ")
              .code("torch.cuda.empty_cache()")
              .words(" and run the step again.")
              .build();
    };
  }

  private Sentence proof(ChangedReplay replay, boolean isWhole) {
    boolean isTooLateAtFailure =
        replay.change() instanceof Change.EmptyEachStep
            && report.counterfactuals().row(Name.CACHE_EMPTIED).answer() == Answer.NO;
    Sentence.Builder proof =
        isTooLateAtFailure
            ? Sentence.of("At the failure it releases nothing that helps, but between steps: in a ")
            : Sentence.of("In a ");
    proof.term("replay", "replay").words(" with it, ");
    if (isWhole) {
      proof.words("no request of the whole recording fails");
    } else if (replays.hasRequestsAfter()) {
      proof.words("this request is served, but a later one fails");
    } else {
      proof.words("this request, the last of the recording, is served");
    }
    appendRest(proof, replay.rest());
    Target target =
        replay.change() instanceof Change.Settings(String line)
            ? new Target.Settings(line)
            : new Target.Settings("");
    long before = replays.recorded().peakReservedBytes();
    proof
        .words("; the allocator ")
        .term("reserved", "reserves")
        .words(" at most ")
        .bytes(replay.peakReservedBytes(), target);
    long more = replay.peakReservedBytes() - before;
    if (more == 0) {
      proof.words(", as much as without it");
    } else if (ByteText.of(before).equals(ByteText.of(replay.peakReservedBytes()))) {
      proof
          .words(", ")
          .bytes(Math.abs(more), target)
          .words(more > 0 ? " more than without it" : " less than without it");
    } else {
      proof.words(" instead of ").bytes(before, new Target.Settings(""));
    }
    return proof
        .words(", with ")
        .words(String.format(Locale.ROOT, "%,d ", replay.driverCalls()))
        .term("driver-call", replay.driverCalls() == 1 ? "driver call" : "driver calls")
        .words(" instead of ")
        .words(String.format(Locale.ROOT, "%,d", replays.recorded().driverCalls()))
        .words(".")
        .words(steps.isGuessed() && dependsOnSteps(replay) ? StepFacts.GUESSED_BOUNDS : "")
        .build();
  }

  private static boolean dependsOnSteps(ChangedReplay replay) {
    return !(replay.change() instanceof Change.Settings)
        || !(replay.rest() instanceof Rest.Unknown);
  }

  private void appendRest(Sentence.Builder proof, Rest rest) {
    switch (rest) {
      case Rest.Served(boolean isEstimated) ->
          proof.words(
              isEstimated
                  ? ", and so is the rest of the step, if its requests have grown as those before"
                      + " this one"
                  : ", and so is the rest of the step, as the steps before did it");
      case Rest.Fails(int likeEvent, long bytes) -> {
        proof.words(", but the step then fails at a request for ").bytes(bytes);
        code.appendPlace(proof, trace.stack(likeEvent));
      }
      case Rest.Unknown _ ->
          proof.words(
              replays.hasRequestsAfter()
                  ? ""
                  : "; what the rest of the step needs is not known, as no step like this one came"
                      + " before");
    }
  }

  /** What it costs, or why it does not help for long. */
  private Sentence price(ChangedReplay replay) {
    Sentence.Builder price = new Sentence.Builder();
    String delay = CauseRow.of(report.verdict().cause()).delay();
    if (!delay.isEmpty()) {
      price.words(delay + " ");
    }
    long more = replay.driverCalls() - replays.recorded().driverCalls();
    if (more > 0) {
      price.counted(more, "more driver call").words(", each of which takes time.");
    }
    return price.build();
  }
}
