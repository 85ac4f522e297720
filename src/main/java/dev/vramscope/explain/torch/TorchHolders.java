package dev.vramscope.explain.torch;

import static dev.vramscope.explain.message.Amounts.isSurelyMore;
import static dev.vramscope.explain.message.Amounts.minus;
import static dev.vramscope.explain.message.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.Share;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Who holds the memory of the device, as far as PyTorch's message tells. */
final class TorchHolders {
  /** Shorter process numbers are found in any log. */
  private static final int SHORTEST_NUMBER = 4;

  /** What a CUDA context and its libraries usually take, at most. */
  private static final long USUAL_CONTEXT_BYTES = 2L << 30;

  private final Conclusion.Builder conclusion;
  private final TorchNumbers numbers;
  private final Optional<Quantity> total;
  private final Optional<Quantity> free;
  private final Optional<Quantity> allocated;
  private final Optional<Quantity> privatePools;
  private final TorchBackend backend;
  private final LogContext context;

  /** Whether the message says that this process uses nothing. */
  private final boolean isCountedAsNothing;

  private Optional<Quantity> thisProcess;
  private List<Field> processes;
  private boolean isAnyoneUnnamed;

  TorchHolders(
      LogMessage message,
      Conclusion.Builder conclusion,
      TorchBackend backend,
      TorchNumbers numbers,
      LogContext context) {
    this.context = context;
    isCountedAsNothing =
        message.quantity(FieldName.THIS_PROCESS).filter(used -> used.bytes() == 0).isPresent();
    this.backend = backend;
    this.conclusion = conclusion;
    this.numbers = numbers;
    total = numbers.total();
    free = numbers.free();
    allocated = numbers.allocated();
    privatePools = numbers.privatePools();
    thisProcess = numbers.thisProcess();
    processes =
        message.fields().stream()
            .filter(field -> field.name() == FieldName.PROCESS && field.quantity().isPresent())
            .toList();
  }

  /** Whether memory is in use by someone whom the text does not name. */
  boolean isAnyoneUnnamed() {
    return isAnyoneUnnamed;
  }

  /** Adds the parts and what follows from them. */
  void add() {
    if (privatePools.isPresent() && privatePools.get().bytes() > 0) {
      conclusion.certain(
          text(privatePools.get())
              + " of what the message calls allocated is free inside private pools, such as those"
              + " of graphs and of MemPool. It serves no request outside them.");
      if (Amounts.isSurelyAtLeast(privatePools.get(), numbers.requested())) {
        conclusion.remedy(
            "Free what the private pools keep: capture fewer graphs, or graphs of fewer sizes; let"
                + " graphs that never run at once share one pool; delete graphs and MemPools that"
                + " are not needed any more. They keep "
                + text(privatePools.get())
                + " that the request could not use.",
            "torch.cuda.graph(graph, pool=first_graph.pool())");
      }
    }
    conclusion.total(total);
    conclusion.share(
        Share.Kind.ALLOCATED,
        "Allocated by this program",
        privatePools.isPresent() ? minus(allocated, privatePools) : allocated);
    conclusion.share(Share.Kind.PRIVATE, "Free inside private pools", privatePools);
    conclusion.share(Share.Kind.UNALLOCATED, "Reserved but unallocated", numbers.unallocated());
    if (numbers.contradiction().isPresent()) {
      return;
    }
    if (isCountedAsNothing) {
      conclusion.certain(
          "The 0 bytes of this process in the message are wrong: its allocator holds "
              + numbers.reserved().map(Amounts::text).orElse("memory")
              + ". In a container the process numbers differ, so that PyTorch does not find"
              + " itself.");
    }
    outside(numbers.reserved());
    conclusion.share(Share.Kind.FREE, "Free on the device", free);
  }

  private void outside(Optional<Quantity> reserved) {
    Optional<Quantity> unexplained =
        free.isPresent() && reserved.isPresent()
            ? minus(minus(total, free), reserved)
            : Optional.empty();
    if (isThisListed(reserved, unexplained)) {
      List<Field> possible =
          processes.stream().filter(each -> isThis(each, reserved, unexplained)).toList();
      if (processes.size() == 1 || possible.size() != 1) {
        conclusion.likely(
            (processes.size() == 1
                    ? "The process listed as "
                        + processes.getFirst().of()
                        + " is this program itself: it uses"
                    : "One of the listed processes is this program itself: together they use")
                + " more than is left beside what this program has reserved. In a container the"
                + " process numbers differ, so PyTorch takes itself for another process.");
        conclusion.share(
            Share.Kind.OUTSIDE,
            "Outside the allocator: " + backend.context() + ", libraries, others",
            unexplained);
        return;
      }
      conclusion.likely(
          "The process listed as "
              + possible.getFirst().of()
              + " is this program itself: of the listed ones, only it can hold what this program"
              + " has reserved. In a container the process numbers differ, so PyTorch takes itself"
              + " for another process.");
      thisProcess = possible.getFirst().quantity();
      processes = processes.stream().filter(each -> !each.equals(possible.getFirst())).toList();
    }
    Optional<Quantity> others = used(processes);
    if (thisProcess.isPresent()) {
      Optional<Quantity> context = minus(thisProcess, reserved);
      conclusion.share(Share.Kind.OUTSIDE, "This process, outside the allocator", context);
      context
          .filter(bytes -> bytes.leastBytes() > USUAL_CONTEXT_BYTES)
          .ifPresent(
              bytes ->
                  conclusion.certain(
                      "This process uses "
                          + text(bytes)
                          + " outside PyTorch’s allocator. A context with its libraries takes"
                          + " less as a rule: another library of the program, such as NCCL, a"
                          + " second framework or a custom kernel, holds the rest."));
    }
    if (others.isPresent()) {
      conclusion.share(Share.Kind.OUTSIDE, "Other processes", others);
      conclusion.certain(
          "Other processes use "
              + text(others.get())
              + " of this device: "
              + processes.stream()
                  .map(each -> "process " + each.of() + " " + each.written())
                  .collect(Collectors.joining(", "))
              + thisProcess.map(bytes -> ". This process has " + text(bytes)).orElse("")
              + ".");
      ownJob();
    }
    Optional<Quantity> rest =
        minus(
            thisProcess.isPresent() && free.isPresent()
                ? minus(minus(total, free), thisProcess)
                : unexplained,
            others);
    rest.filter(bytes -> bytes.bytes() > bytes.errorBytes()).ifPresent(this::unnamed);
  }

  /** Processes whose numbers the log has elsewhere are of the same job. */
  private void ownJob() {
    List<Field> own =
        processes.stream()
            .filter(process -> process.of().length() >= SHORTEST_NUMBER)
            .filter(process -> context.hasElsewhere(process.of()))
            .toList();
    if (own.size() == 1) {
      Field process = own.getFirst();
      conclusion.likely(
          "Process "
              + process.of()
              + " is one of the same job: its number stands elsewhere in this log, such as that of"
              + " a parent.");
      conclusion.remedy(
          "Let the parent process free its memory of the GPU before the other one starts, or end"
              + " it: "
              + process.written()
              + " are held by process "
              + process.of()
              + ".",
          "del model; gc.collect(); torch.cuda.empty_cache()");
    } else if (own.size() > 1) {
      conclusion.likely(
          own.size()
              + " of them are of the same job: their numbers stand elsewhere in this log. Ranks"
              + " that should each have a device of their own all use this one.");
      conclusion.firstRemedy(
          "Give each rank its own device before anything else is done with CUDA, and load"
              + " checkpoints onto the CPU or onto that device.",
          "torch.cuda.set_device(int(os.environ[\"LOCAL_RANK\"])); torch.load(path,"
              + " map_location=\"cpu\")");
    }
  }

  private void unnamed(Quantity rest) {
    String label =
        thisProcess.isPresent()
            ? "Driver, or processes that are not listed"
            : "Outside the allocator: " + backend.context() + ", libraries, other processes";
    conclusion.share(Share.Kind.OUTSIDE, label, Optional.of(rest));
    if (rest.leastBytes() > USUAL_CONTEXT_BYTES) {
      isAnyoneUnnamed = true;
      conclusion.certain(
          text(rest)
              + " of the device is used by someone whom the message does not name: other"
              + " processes, other libraries of this program, or the driver. That is more than the"
              + " context of one program takes as a rule.");
    }
  }

  /**
   * Whether one of the listed processes has to be this one, because not all have room beside it.
   */
  private boolean isThisListed(Optional<Quantity> reserved, Optional<Quantity> unexplained) {
    return thisProcess.isEmpty()
        && reserved.isPresent()
        && unexplained.isPresent()
        && used(processes).filter(sum -> isSurelyMore(sum, unexplained.get())).isPresent();
  }

  /** Whether a listed process can hold what this one has reserved, beside all others. */
  private boolean isThis(
      Field process, Optional<Quantity> reserved, Optional<Quantity> unexplained) {
    List<Field> rest = processes.stream().filter(each -> !each.equals(process)).toList();
    return !isSurelyMore(reserved.orElseThrow(), process.quantity().orElseThrow())
        && used(rest).filter(sum -> isSurelyMore(sum, unexplained.orElseThrow())).isEmpty();
  }

  private static Optional<Quantity> used(List<Field> processes) {
    return processes.stream().flatMap(each -> each.quantity().stream()).reduce(Quantity::plus);
  }
}
