package dev.vramscope.postmortem.explanation;

import dev.vramscope.analysis.sites.HeldSites;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.model.Trace;
import dev.vramscope.postmortem.ChangedReplays.Unlimited;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Counterfactuals.Name;
import dev.vramscope.postmortem.cause.OutsideHolders;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.cause.Verdict;
import dev.vramscope.postmortem.explanation.Remedy.Effect;
import dev.vramscope.postmortem.explanation.Remedy.Kind;
import dev.vramscope.postmortem.explanation.Target.Section;
import dev.vramscope.postmortem.program.ProgramMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** The remedies that follow from the cause of a failure and from its counterfactuals. */
final class CauseRemedies {
  private final OomReport report;
  private final Trace trace;
  private final HeldSites held;
  private final CodeLines code;
  private final Optional<StepFacts> steps;
  private final Optional<ProgramMemory> memory;
  private final Optional<Unlimited> unlimited;
  private final Steps.Source stepSource;
  private final Request request;

  CauseRemedies(
      OomReport report,
      Trace trace,
      HeldSites held,
      CodeLines code,
      Optional<StepFacts> steps,
      Optional<ProgramMemory> memory,
      Optional<Unlimited> unlimited,
      Steps.Source stepSource) {
    this.unlimited = unlimited;
    this.stepSource = stepSource;
    this.report = report;
    this.memory = memory;
    this.steps = steps;
    this.trace = trace;
    this.held = held;
    this.code = code;
    request = report.request();
  }

  List<Remedy> list() {
    List<Remedy> remedies = new ArrayList<>();
    CauseRow.of(report.verdict().cause()).remedy().apply(this).ifPresent(remedies::add);
    for (Verdict.Cause also : report.alsoPresent()) {
      CauseRow.of(also).remedyBesides().apply(this).ifPresent(remedies::add);
    }
    if (report.verdict().cause() != Verdict.Cause.LIMIT && isYes(Name.WITHOUT_LIMIT)) {
      remedies.add(raiseLimit(Effect.SERVES_REQUEST));
    }
    caughtException().ifPresent(remedies::add);
    largerDevice().ifPresent(remedies::add);
    return remedies;
  }

  Optional<Remedy> stopGrowth() {
    return steps.isEmpty() ? holdLess() : stopGrowth(Effect.REMOVES_CAUSE);
  }

  /** What has grown is more than what was missing. */
  Optional<Remedy> stopGrowthBesides() {
    return stopGrowth(Effect.PASSES_FAILURE);
  }

  private Optional<Remedy> stopGrowth(Effect effect) {
    return steps.map(
        each -> new StepRemedies(each, code, request.family().isBfc()).stopKeeping(effect));
  }

  Optional<Remedy> smallerStep() {
    return steps.isEmpty() ? holdLess() : smallerStep(Effect.REMOVES_CAUSE);
  }

  /** What a step needs more than those before it is more than what was missing. */
  Optional<Remedy> smallerStepBesides() {
    return smallerStep(Effect.PASSES_FAILURE);
  }

  private Optional<Remedy> smallerStep(Effect effect) {
    return steps.map(
        each ->
            new StepRemedies(each, code, request.family().isBfc()).smallerStep(request, effect));
  }

  /** Another pool of a BFC allocator. */
  Optional<Remedy> otherPool() {
    return new PoolRemedies(report).otherPool();
  }

  Optional<Remedy> holdLess() {
    return Optional.of(new HoldLessRemedy(report, held, code, memory).remedy());
  }

  Optional<Remedy> freeOutside() {
    return Optional.of(freeOutside(Effect.REMOVES_CAUSE));
  }

  Optional<Remedy> freeOutsideBesides() {
    return isYes(Name.WITHOUT_OTHERS)
        ? Optional.of(freeOutside(Effect.SERVES_REQUEST))
        : Optional.empty();
  }

  private Remedy freeOutside(Effect effect) {
    Sentence.Builder action = Sentence.of("Free the memory that is held ");
    action.term("outside", "outside the allocator");
    OptionalLong missingBytes = missingFromDriver();
    Optional<OutsideHolders> holders = OutsideHolders.of(report.ledger());
    boolean isOthers = holders.isEmpty() || holders.get().otherBytes() > 0;
    boolean isOthersEnough =
        holders.isEmpty() || holders.get().otherBytes() >= missingBytes.orElse(Long.MAX_VALUE);
    if (isOthers) {
      action.words(": end other programs on this GPU");
      holders.ifPresent(
          who -> action.words(", which hold ").bytes(who.otherBytes(), Section.Name.LEDGER));
      action.words(" (").code("nvidia-smi").words(" lists them), or run on a GPU of its own");
      if (holders.isEmpty()) {
        action.words(
            ". If there are none, libraries of this program hold it, such as NCCL: use fewer of"
                + " them, or fewer process groups");
      }
    }
    if (!isOthersEnough) {
      // Not empty, or the others would be enough.
      action
          .words(isOthers ? ". Besides, " : ": ")
          .words("this program itself holds ")
          .bytes(holders.orElseThrow().thisProcessBytes(), Section.Name.LEDGER)
          .words(
              " of it, for the CUDA context and libraries such as NCCL: use fewer process groups"
                  + " and libraries");
    }
    action.words(".");
    Sentence.Builder proof = new Sentence.Builder().sentence(row(Name.WITHOUT_OTHERS));
    if (missingBytes.isPresent()) {
      proof
          .words(" For this request alone, ")
          .bytes(missingBytes.getAsLong())
          .words(" more was needed.");
    }
    return new Remedy(
        Kind.FREE_OUTSIDE,
        effect,
        action.build(),
        Optional.empty(),
        proof.build(),
        Sentence.EMPTY,
        report.ledger().isTotalEstimated());
  }

  /** What the driver had too little of. */
  private OptionalLong missingFromDriver() {
    return request.isDeviceFreeKnown() && request.deviceFreeBytes() < request.segmentBytes()
        ? OptionalLong.of(request.segmentBytes() - request.deviceFreeBytes())
        : OptionalLong.empty();
  }

  Optional<Remedy> raiseLimit() {
    return Optional.of(raiseLimit(Effect.REMOVES_CAUSE));
  }

  private Remedy raiseLimit(Effect effect) {
    return new RaiseLimitRemedy(report, unlimited, stepSource).remedy(effect);
  }

  Optional<Remedy> useOneStream() {
    if (!isYes(Name.ON_ONE_STREAM)) {
      return Optional.empty();
    }
    return Optional.of(
        new Remedy(
            Kind.USE_ONE_STREAM,
            Effect.REMOVES_CAUSE,
            Sentence.of("Allocate this memory on one ")
                .term("stream", "stream")
                .words(": free memory of one stream is not used for another.")
                .build(),
            Optional.empty(),
            row(Name.ON_ONE_STREAM),
            Sentence.of("Work on one stream does not overlap.").build(),
            /* isEstimated= */ false));
  }

  Optional<Remedy> releasePool() {
    if (!isYes(Name.ALL_POOLS) || report.free().otherPool() == 0) {
      return Optional.empty();
    }
    long inPrivate = report.privatePoolFreeBytes();
    Sentence.Builder action = new Sentence.Builder();
    if (inPrivate > 0) {
      action
          .words("Before this line, delete the CUDA graph or MemPool whose ")
          .term("private-pool", "private pool")
          .words(" holds the ")
          .bytes(inPrivate, Section.Name.FREE_BLOCKS)
          .words(" of free memory, or let both share one pool.");
    } else {
      action
          .words("Make this request outside the CUDA graph's or MemPool's ")
          .term("private-pool", "private pool")
          .words(": the default pool has ")
          .bytes(report.free().otherPool(), Section.Name.FREE_BLOCKS)
          .words(" of free memory.");
    }
    return Optional.of(
        new Remedy(
            Kind.RELEASE_POOL,
            Effect.REMOVES_CAUSE,
            action.build(),
            Optional.empty(),
            row(Name.ALL_POOLS),
            Sentence.EMPTY,
            /* isEstimated= */ false));
  }

  Optional<Remedy> waitForStreams() {
    if (!isYes(Name.PENDING_FREES_DONE)) {
      return Optional.empty();
    }
    return Optional.of(
        new Remedy(
            Kind.WAIT_FOR_STREAMS,
            Effect.REMOVES_CAUSE,
            Sentence.of("Let the other ")
                .term("stream", "stream")
                .words(" finish with the freed memory first: call ")
                .code("torch.cuda.synchronize()")
                .words(
                    request.pool().isPrivate()
                        ? " before the graph capture begins. Use "
                        : " before this line. Use ")
                .code("record_stream")
                .words(" only where another stream really needs the tensor.")
                .build(),
            Optional.empty(),
            row(Name.PENDING_FREES_DONE),
            Sentence.of("Waiting stops the overlap of the streams at this line.").build(),
            /* isEstimated= */ false));
  }

  Optional<Remedy> emptyBeforeCapture() {
    Sentence.Builder proof =
        Sentence.of("Before the capture it would have given ")
            .bytes(report.releasableBytes(), Section.Name.FREE_BLOCKS)
            .words(" back to the GPU");
    if (request.isDeviceFreeKnown()) {
      proof
          .words(", which had ")
          .bytes(request.deviceFreeBytes(), new Target.Event(request.event()))
          .words(" free; ")
          .bytes(request.segmentBytes())
          .words(" was needed");
    }
    return Optional.of(
        new Remedy(
            Kind.EMPTY_BEFORE_CAPTURE,
            Effect.REMOVES_CAUSE,
            Sentence.of("Call ")
                .code("torch.cuda.empty_cache()")
                .words(" right before the graph ")
                .term("capture", "capture")
                .words(" begins.")
                .build(),
            Optional.empty(),
            proof.words(".").build(),
            Sentence.of("One call; the memory that it releases is acquired again later.").build(),
            /* isEstimated= */ false));
  }

  Optional<Remedy> smallerRequest() {
    Sentence.Builder action = Sentence.of("Check the shapes of the tensors at ");
    code.appendLine(action, request);
    action.words(
        ": a size as unexpected as this is often a wrong dimension. If it is meant, divide it into"
            + " parts.");
    Sentence.Builder proof = Sentence.of("No GPU of this size can serve ");
    proof.bytes(request.requestedBytes(), Section.Name.REQUEST).words(" in one piece");
    long fits = report.frees().largestFit().atLeastBytes();
    if (fits > 0) {
      proof
          .words("; at that moment it could have served up to ")
          .bytes(fits, Section.Name.CHEAPEST_FREES);
    }
    return Optional.of(
        Remedy.of(Kind.SMALLER_REQUEST, Effect.REMOVES_CAUSE, action, proof.words(".")));
  }

  Optional<Remedy> withoutOversizeRule() {
    return Optional.of(
        Remedy.of(
            Kind.SETTINGS,
            Effect.REMOVES_CAUSE,
            Sentence.of("Remove ")
                .code("max_split_size_mb")
                .words(" from PYTORCH_CUDA_ALLOC_CONF, or raise it above ")
                .bytes(report.free().largestUsable())
                .words("."),
            Sentence.of("The free block of ")
                .bytes(report.free().largestUsable(), Section.Name.FREE_BLOCKS)
                .words(" could then have been split and used.")));
  }

  /** A request failed before, and its exception keeps memory. */
  private Optional<Remedy> caughtException() {
    return code.caughtBefore(request, trace)
        .map(
            caught ->
                Remedy.of(
                    Kind.CAUGHT_EXCEPTION,
                    Effect.HELPS,
                    Sentence.of(
                        "Leave the except block before the next attempt: while it runs, the"
                            + " exception keeps the temporary tensors of every function that it"
                            + " passed through."),
                    Sentence.of("An earlier request had failed at event ")
                        .link(
                            String.format(Locale.ROOT, "%,d", caught.event()),
                            new Target.Event(caught.event()))
                        .words(", and ")
                        .bytes(caught.keptBytes())
                        .words(" that its call had allocated was still in use.")));
  }

  private Optional<Remedy> largerDevice() {
    OptionalLong missingBytes = missingFromDriver();
    if (missingBytes.isEmpty()
        || report.verdict().cause() == Verdict.Cause.LIMIT
        || missingBytes.getAsLong() > report.state().reservedBytes() + request.deviceFreeBytes()) {
      // A limit stays on a larger device, and twice the memory is a different machine.
      return Optional.empty();
    }
    Sentence.Builder price =
        report.verdict().cause() == Verdict.Cause.LEAK
            ? Sentence.of(CauseRow.GROWS_ON)
            : new Sentence.Builder();
    return Optional.of(
        new Remedy(
            Kind.LARGER_DEVICE,
            Effect.SERVES_REQUEST,
            Sentence.of("Use a GPU with more memory: at least ")
                .bytes(missingBytes.getAsLong())
                .words(" more was needed for this request alone.")
                .build(),
            Optional.empty(),
            Sentence.of("The GPU had ")
                .bytes(request.deviceFreeBytes(), new Target.Event(request.event()))
                .words(" left, and ")
                .bytes(request.segmentBytes(), Section.Name.REQUEST)
                .words(" was needed.")
                .build(),
            price.build(),
            /* isEstimated= */ false));
  }

  private boolean isYes(Name name) {
    return report.counterfactuals().isYes(name);
  }

  /** The proof that a counterfactual gives. */
  private Sentence row(Name name) {
    return Sentence.of(report.counterfactuals().row(name).sentence()).build();
  }
}
