package dev.vramscope.postmortem.explanation;

import dev.vramscope.analysis.sites.HeldSites;
import dev.vramscope.model.StackTable;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.explanation.Remedy.Effect;
import dev.vramscope.postmortem.explanation.Remedy.Kind;
import dev.vramscope.postmortem.explanation.Target.Section;
import dev.vramscope.postmortem.program.ProgramMemory;
import dev.vramscope.postmortem.program.ProgramPart;
import java.util.Optional;

/** What to do if too much is live, and no rule knows more. */
final class HoldLessRemedy {
  /** The least share of live memory that a smaller input has to be able to change. */
  private static final double LEAST_OF_INPUT = 0.05;

  private final OomReport report;
  private final HeldSites held;
  private final CodeLines code;
  private final Optional<ProgramMemory> memory;
  private final Request request;

  HoldLessRemedy(OomReport report, HeldSites held, CodeLines code, Optional<ProgramMemory> memory) {
    this.report = report;
    this.held = held;
    this.code = code;
    this.memory = memory;
    request = report.request();
  }

  Remedy remedy() {
    Sentence.Builder action = Sentence.of("Make the program hold less when it reaches ");
    code.appendLine(action, request);
    Optional<HeldSites.Held> largest =
        held.largest().stream().filter(site -> site.stack() != StackTable.NONE).findFirst();
    boolean isOfInput = isOfInput();
    if (isOfInput || largest.isEmpty()) {
      action.words(": use a smaller batch or a shorter input");
    }
    largest.ifPresent(
        site -> {
          action.words(isOfInput ? ", or keep less of the " : ": keep less of the ");
          action.bytes(site.bytes()).words(" that ");
          code.append(action, site.stack());
          action.words(" allocated");
        });
    return Remedy.of(Kind.HOLD_LESS, Effect.REMOVES_CAUSE, action.words("."), tooLittleLeft());
  }

  /** Whether so much is live that depends on the input that a smaller one would help. */
  private boolean isOfInput() {
    return memory.isEmpty()
        || memory.get().part(ProgramPart.STEP).bytes() >= LEAST_OF_INPUT * report.liveBytes();
  }

  private Sentence.Builder tooLittleLeft() {
    Sentence.Builder proof = new Sentence.Builder();
    if (!request.isDeviceFreeKnown()) {
      return report.limitBytes().isPresent()
          ? belowLimit(proof, report.limitBytes().getAsLong())
          : insideAllocator(proof);
    }
    if (report.availableBytes() < request.roundedBytes()) {
      return proof
          .words("It asked for ")
          .bytes(request.requestedBytes(), new Target.Event(request.event()))
          .words(", and only ")
          .bytes(report.availableBytes(), Section.Name.LEDGER)
          .words(" was free anywhere, even counting the allocator's cache: ")
          .bytes(request.roundedBytes() - report.availableBytes())
          .words(" less is the least; what the rest of the step needs comes on top.");
    }
    return proof
        .words("Only ")
        .bytes(report.availableBytes(), Section.Name.LEDGER)
        .words(
            " was free anywhere, in pieces: even with room for this request, one of the next"
                + " would fail.");
  }

  /** What a pool with a limit could have given, whatever the device had left. */
  private Sentence.Builder belowLimit(Sentence.Builder proof, long limit) {
    long left = Math.max(0, limit - report.state().reservedBytes()) + report.free().cached();
    proof
        .words("It asked for ")
        .bytes(request.requestedBytes(), Section.Name.REQUEST)
        .words(", and below its limit of ")
        .bytes(limit, Section.Name.LEDGER)
        .words(" the pool had only ")
        .bytes(left, Section.Name.LEDGER)
        .words(" left, free memory included");
    return left < request.roundedBytes()
        ? proof
            .words(": ")
            .bytes(request.roundedBytes() - left)
            .words(" less is the least; what the rest of the step needs comes on top.")
        : proof.words(", in pieces.");
  }

  /** What is known without the device: the free memory that the allocator holds. */
  private Sentence.Builder insideAllocator(Sentence.Builder proof) {
    return proof
        .words("It asked for ")
        .bytes(request.requestedBytes(), Section.Name.REQUEST)
        .words(", and of what the allocator held, ")
        .bytes(report.free().cached(), Section.Name.FREE_BLOCKS)
        .words(" was free, at most ")
        .bytes(report.free().largestUsable(), Section.Name.FREE_BLOCKS)
        .words(" in one piece.");
  }
}
