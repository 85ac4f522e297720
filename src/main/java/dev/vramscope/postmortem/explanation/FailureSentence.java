package dev.vramscope.postmortem.explanation;

import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.StreamText;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Candidate;
import dev.vramscope.postmortem.cause.FreeBytes;
import dev.vramscope.postmortem.cause.OutsideHolders;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.cause.Verdict;
import dev.vramscope.postmortem.explanation.Target.Section.Name;
import dev.vramscope.postmortem.program.ProgramMemory;
import dev.vramscope.postmortem.program.ProgramPart;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The sentence about what happened: what was requested, by which line, why it could not be served,
 * and how certain that is. Written for readers who do not know allocators.
 */
final class FailureSentence {
  private final OomReport report;
  private final AllocatorFacts facts;
  private final CodeLines code;
  private final Optional<StepFacts> steps;
  private final Optional<ProgramMemory> memory;
  private final Request request;
  private final FreeBytes free;
  private final DeviceNumbers numbers;
  private final CauseRow row;

  FailureSentence(
      OomReport report,
      AllocatorFacts facts,
      CodeLines code,
      Optional<StepFacts> steps,
      Optional<ProgramMemory> memory) {
    this.report = report;
    this.memory = memory;
    this.steps = steps;
    this.facts = facts;
    this.code = code;
    request = report.request();
    free = report.free();
    numbers = new DeviceNumbers(report);
    row = CauseRow.of(report.verdict().cause());
  }

  Sentence sentence() {
    Sentence.Builder text = Sentence.of("The program asked for ");
    text.bytes(request.requestedBytes(), new Target.Event(request.event()));
    if (request.stack() != StackTable.NONE) {
      text.words(" at ");
      code.appendRequest(text, request);
    } else if (code.isAnyRecorded() && facts.family().isCaching()) {
      text.words(", probably in a backward pass (no stack was recorded, as in ")
          .term("autograd-thread", "autograd's thread")
          .words(")");
    }
    row.reason().accept(this, text);
    new ContributingCauses(report, numbers, steps).append(text);
    conclusion(text);
    size(text);
    return text.build();
  }

  /** Without the size of the device, memory that others hold looks like a smaller device. */
  private void size(Sentence.Builder text) {
    if (row.isOfProgram() && numbers.total().isEmpty() && request.isDeviceFreeKnown()) {
      text.words(" If the GPU has more than ")
          .bytes(numbers.shownBytes())
          .words(", the rest was held ")
          .term("outside", "outside the allocator")
          .words(": ")
          .link("enter its size", new Target.Section(Name.LEDGER))
          .words(
              report.verdict().certainty() == Certainty.UNDECIDED
                  ? ", which decides between the two."
                  : " to see how much.");
    }
  }

  void leak(Sentence.Builder text) {
    text.words(", but not enough memory was left: ");
    steps.ifPresent(facts -> facts.appendGrowth(text));
    held(text.words(". ")).words(" was in use");
    leftInPieces(text);
  }

  void spike(Sentence.Builder text) {
    text.words(", but ");
    steps.ifPresent(facts -> facts.appendPeaks(text));
    held(text.words(". ")).words(" was in use already");
    leftInPieces(text);
  }

  void fragmentation(Sentence.Builder text) {
    text.words(", but no free piece of memory was that large: ")
        .words(owner() + " had ")
        .bytes(free.usable(), Name.FREE_BLOCKS)
        .words(" free in its ");
    cache(text);
    pieces(text);
    left(text);
  }

  void chunkWaste(Sentence.Builder text) {
    text.words(", but no free piece of memory was that large. ")
        .bytes(report.unsplitBytes(), Name.LEDGER)
        .words(
            " was in chunks in use beyond what had been requested, because a chunk is split only if"
                + " half of it or 128 MiB would remain; ")
        .bytes(free.usable(), Name.FREE_BLOCKS)
        .words(" was free in the pool");
    pieces(text);
    left(text);
  }

  void exceedsPool(Sentence.Builder text) {
    text.words(", but the whole pool may have at most ")
        .bytes(report.limitBytes().orElse(0), Name.LEDGER)
        .words(". It cannot succeed there, however little is in use: ");
    held(text).words(" was");
  }

  void otherStream(Sentence.Builder text) {
    text.words(" on stream " + StreamText.of(request.stream()) + ". ")
        .bytes(free.otherStream(), Name.FREE_BLOCKS)
        .words(" was free, but belonged to another ")
        .term("stream", "stream")
        .words(", and " + owner() + " does not share free memory between streams");
    ownPieces(text);
    deviceLeft(text.words(". "));
  }

  void pendingFrees(Sentence.Builder text) {
    text.words(". ")
        .bytes(free.pendingFree(), Name.FREE_BLOCKS)
        .words(" had been freed, but could not be reused yet, because work on another ")
        .term("stream", "stream")
        .words(" might still have been using it (")
        .term("pending-free", "pending free")
        .words(")");
    deviceLeft(text.words(". "));
  }

  void cacheKeptByCapture(Sentence.Builder text) {
    text.words(" while a CUDA graph was being ")
        .term("capture", "captured")
        .words(". ")
        .bytes(report.releasableBytes(), Name.FREE_BLOCKS)
        .words(" was free in PyTorch's ")
        .term("cache", "cache")
        .words(", but during a capture the cache cannot be given back to the GPU");
    deviceLeft(text.words(". "));
  }

  void exceedsDevice(Sentence.Builder text) {
    OptionalLong total = numbers.total();
    if (total.isPresent()) {
      text.words(" in one piece, which is more than the whole GPU has: ")
          .bytes(total.getAsLong(), Name.LEDGER)
          .words(". It cannot succeed there, however little else is in use");
    } else {
      text.words(" in one piece, but the allocator's memory and what the GPU had left are only ")
          .bytes(numbers.shownBytes(), Name.LEDGER)
          .words(" together");
    }
  }

  void oversizeRule(Sentence.Builder text) {
    text.words(". A free block was large enough, but the setting ")
        .code("max_split_size_mb")
        .words(" keeps large blocks for larger requests");
  }

  void fits(Sentence.Builder text) {
    text.words(", which fits");
  }

  void tooMuchLive(Sentence.Builder text) {
    if (request.family() == AllocatorFamily.DIRECT) {
      text.words(" directly from the driver. ");
    } else {
      firstOptimizerStep(text);
      text.words(", but not enough memory was left: ");
    }
    held(text).words(" was in use");
    leftInPieces(text);
  }

  /** ", in the first step of AdamW, which needs 6.6 GiB for its state and had 4.75 GiB of it". */
  private void firstOptimizerStep(Sentence.Builder text) {
    memory.ifPresent(
        program -> {
          long neededBytes = program.part(ProgramPart.FIRST_OPTIMIZER_STEP).bytes();
          long madeBytes = program.part(ProgramPart.OPTIMIZER_STATE).bytes();
          if (neededBytes > madeBytes) {
            text.words(
                    ", in the first step of "
                        + program.optimizerInFirstStep().orElseThrow().label()
                        + ", which needs about ")
                .bytes(neededBytes)
                .words(" for its state and had made ")
                .bytes(madeBytes)
                .words(" of it");
          }
        });
  }

  /** "14.65 GiB of the GPU's 16 GiB". */
  private Sentence.Builder held(Sentence.Builder text) {
    text.bytes(report.liveBytes(), Name.LEDGER);
    numbers.total().ifPresent(bytes -> text.words(numbers.ofTheGpu()).bytes(bytes, Name.LEDGER));
    return text;
  }

  /** ", in 118 pieces of at most 64 MiB". */
  private void pieces(Sentence.Builder text) {
    List<Candidate> usable =
        report.candidates().stream()
            .filter(candidate -> candidate.isUsable() && candidate.isFree())
            .toList();
    if (usable.isEmpty()) {
      return;
    }
    Candidate largest =
        usable.stream()
            .reduce((best, next) -> next.block().bytes() > best.block().bytes() ? next : best)
            .orElseThrow();
    text.words(usable.size() == 1 ? " as " : " in ")
        .counted(usable.size(), "piece")
        .words(usable.size() == 1 ? " of " : ", the largest of ")
        .bytes(largest.block().bytes(), new Target.Block(largest.block().address()));
  }

  /** "; on the request's own stream 2 GiB was free in 3 pieces, the largest of 1 GiB". */
  private void ownPieces(Sentence.Builder text) {
    if (free.usable() > 0) {
      text.words("; the request's own stream had ").bytes(free.usable(), Name.FREE_BLOCKS);
      pieces(text);
    }
  }

  /** What was free besides: in the cache and on the device. */
  private void leftInPieces(Sentence.Builder text) {
    if (free.cached() > 0) {
      text.words(", ").bytes(free.cached(), Name.FREE_BLOCKS).words(" was free in the ");
      cache(text);
      if (free.usable() >= request.roundedBytes()) {
        text.words(" in pieces of at most ").bytes(free.largestUsable(), Name.FREE_BLOCKS);
      }
    }
    left(text);
  }

  /** What was free on the device. */
  private void left(Sentence.Builder text) {
    if (request.isDeviceFreeKnown()) {
      text.words(", and the GPU had ")
          .bytes(request.deviceFreeBytes(), new Target.Event(request.event()))
          .words(" left");
      segmentOfLeft(text);
      limitOfLeft(text);
    } else if (isPoolFull()) {
      text.words(", and the pool could not grow beyond its limit of ")
          .bytes(facts.limitBytes().orElseThrow(), Name.LEDGER);
    } else {
      deviceLeft(text.words(". "));
    }
  }

  /** Where free memory is that the allocator holds: BFC calls it its pool. */
  private void cache(Sentence.Builder text) {
    if (request.family() == AllocatorFamily.BFC) {
      text.words("pool");
    } else {
      text.term("cache", "cache");
    }
  }

  /** Whether the pool had reached its limit, whatever the device had left. */
  private boolean isPoolFull() {
    return request.family() == AllocatorFamily.BFC
        && facts.limitBytes().isPresent()
        && report.state().reservedBytes() + request.roundedBytes() > facts.limitBytes().getAsLong();
  }

  /** Why what the device had left was not enough, although it is not less than the request. */
  private void segmentOfLeft(Sentence.Builder text) {
    if (request.family() == AllocatorFamily.CACHING
        && request.deviceFreeBytes() >= request.requestedBytes()
        && request.deviceFreeBytes() < request.segmentBytes()) {
      text.words(", but for a request of this size PyTorch takes a ")
          .term("segment", "segment")
          .words(" of ")
          .bytes(request.segmentBytes(), Name.REQUEST);
    }
  }

  /** Why the allocator did not take what the device had left. */
  private void limitOfLeft(Sentence.Builder text) {
    OptionalLong limit = facts.limitBytes();
    if (limit.isPresent()
        && request.deviceFreeBytes() >= request.segmentBytes()
        && report.state().reservedBytes() + request.segmentBytes() > limit.getAsLong()) {
      text.words(", of which the allocator may take ")
          .bytes(Math.max(0, limit.getAsLong() - report.state().reservedBytes()))
          .words(" (its ")
          .term("memory-limit", "memory limit")
          .words(" is ")
          .bytes(limit.getAsLong(), Name.LEDGER)
          .words(")");
    }
  }

  private void deviceLeft(Sentence.Builder text) {
    if (request.isDeviceFreeKnown()) {
      text.words("The GPU itself had ")
          .bytes(request.deviceFreeBytes(), new Target.Event(request.event()))
          .words(" left");
    } else {
      text.words("How much the GPU had left was not recorded");
    }
  }

  void otherPool(Sentence.Builder text) {
    long elsewhere = free.otherPool() + free.otherKind();
    text.words(request.pool().isPrivate() ? " for a private " : ". ");
    if (request.pool().isPrivate()) {
      text.term("pool", "pool").words(" (a CUDA graph or MemPool). ");
    }
    text.bytes(elsewhere, Name.FREE_BLOCKS).words(" was free, but in ");
    if (free.otherPool() > 0 && report.privatePoolFreeBytes() == 0) {
      text.words("the default ").term("pool", "pool");
    } else if (free.otherPool() > 0) {
      text.words(request.pool().isPrivate() ? "another private " : "the private ")
          .term("pool", "pool")
          .words(" of a CUDA graph or MemPool");
    } else {
      text.words("the ")
          .term("pool", "pool")
          .words(" for " + (request.roundedBytes() > (1 << 20) ? "small" : "large") + " requests");
    }
    text.words(", which may not serve this request");
    ownPieces(text);
    deviceLeft(text.words(". "));
  }

  void outside(Sentence.Builder text) {
    text.words(". ");
    OptionalLong outside = numbers.outsideBytes();
    if (outside.isPresent()) {
      text.words(numbers.isEstimated() ? "An estimated " : "")
          .bytes(outside.getAsLong(), Name.LEDGER);
      numbers.total().ifPresent(bytes -> text.words(numbers.ofTheGpu()).bytes(bytes, Name.LEDGER));
    } else {
      text.words("Much of the GPU");
    }
    text.words(" was held ").term("outside", "outside the allocator").words(" (");
    holders(text);
    text.words("). The program itself held ").bytes(report.liveBytes(), Name.LEDGER);
    left(text);
  }

  /** "11.5 GiB by other programs, 512 MiB by this one for the CUDA context and libraries". */
  private void holders(Sentence.Builder text) {
    Optional<OutsideHolders> holders = OutsideHolders.of(report.ledger());
    if (holders.isEmpty()) {
      text.words("by other programs, or by libraries of this one");
      return;
    }
    if (holders.get().otherBytes() > 0) {
      text.bytes(holders.get().otherBytes(), Name.LEDGER).words(" by other programs");
    }
    if (holders.get().thisProcessBytes() > 0) {
      text.words(holders.get().otherBytes() > 0 ? ", " : "")
          .bytes(holders.get().thisProcessBytes(), Name.LEDGER)
          .words(" by this one, for the CUDA context and libraries");
    }
  }

  void limit(Sentence.Builder text) {
    text.words(", but the allocator may hold ");
    if (facts.limitBytes().isPresent()) {
      text.words("at most ").bytes(facts.limitBytes().getAsLong(), Name.LEDGER);
    } else {
      text.words("only a part of the GPU");
    }
    text.words(" (")
        .term("memory-limit", "memory limit")
        .words(") and held ")
        .bytes(report.state().reservedBytes(), Name.LEDGER)
        .words(" already");
    if (request.isDeviceFreeKnown()) {
      text.words("; the GPU itself had ")
          .bytes(request.deviceFreeBytes(), new Target.Event(request.event()))
          .words(" free");
    }
  }

  void unknown(Sentence.Builder text) {
    text.words(", and the request failed");
    if (request.family() == AllocatorFamily.UNRECORDED) {
      held(text.words(". ")).words(" was live");
      if (report.ledger().isReservedKnown()) {
        text.words("; the allocator held ")
            .bytes(report.ledger().reservedBytes(), Name.LEDGER)
            .words(
                " in all. In which pieces the rest was free, and what the GPU had left, is not in"
                    + " the file, so why it failed is unknown");
      } else {
        text.words(
            ". What the allocator held besides, and what the GPU had left, is not in the file, so"
                + " why it failed is unknown");
      }
      return;
    }
    left(text);
    text.words(". The recording does not show why");
  }

  private void conclusion(Sentence.Builder text) {
    Verdict verdict = report.verdict();
    if (verdict.cause() == Verdict.Cause.UNKNOWN) {
      text.words(".");
      return;
    }
    text.words(". Cause: ");
    String label = verdict.causeText();
    if (row.term().isEmpty()) {
      text.words(label);
    } else {
      text.term(row.term(), label);
    }
    text.words(" (" + verdict.certainty().label() + ").");
  }

  private String owner() {
    return switch (request.family()) {
      case CACHING -> facts.isRecorded() ? "the allocator" : "PyTorch";
      case BFC, UNRECORDED -> "the allocator";
      case DIRECT -> "the driver";
    };
  }
}
