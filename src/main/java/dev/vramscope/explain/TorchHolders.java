package dev.vramscope.explain;

import static dev.vramscope.explain.Amounts.isSurelyMore;
import static dev.vramscope.explain.Amounts.minus;
import static dev.vramscope.explain.Amounts.text;

import dev.vramscope.evidence.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Who holds the memory of the device, as far as PyTorch's message tells. */
final class TorchHolders {
  /** What a CUDA context and its libraries usually take, at most. */
  private static final long USUAL_CONTEXT_BYTES = 2L << 30;

  private final Conclusion.Builder conclusion;
  private final TorchNumbers numbers;
  private final Optional<Quantity> total;
  private final Optional<Quantity> free;
  private final Optional<Quantity> allocated;
  private final Optional<Quantity> privatePools;
  private final Optional<Quantity> thisProcess;
  private final List<Field> processes;
  private boolean isAnyoneUnnamed;

  TorchHolders(Finding finding, Conclusion.Builder conclusion, TorchNumbers numbers) {
    this.conclusion = conclusion;
    this.numbers = numbers;
    total = numbers.total();
    free = numbers.free();
    allocated = numbers.allocated();
    privatePools = numbers.privatePools();
    thisProcess = finding.quantity(FieldName.THIS_PROCESS);
    processes =
        finding.fields().stream()
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
              + " of CUDA graphs and of torch.cuda.MemPool. It serves no request outside them.");
    }
    conclusion.total(total);
    conclusion.share(
        Share.Kind.ALLOCATED,
        "Allocated by this program",
        privatePools.isPresent() ? minus(allocated, privatePools) : allocated);
    conclusion.share(Share.Kind.PRIVATE, "Free inside private pools", privatePools);
    conclusion.share(Share.Kind.UNALLOCATED, "Reserved but unallocated", numbers.unallocated());
    if (numbers.areContradictory()) {
      return;
    }
    outside(numbers.reserved());
    conclusion.share(Share.Kind.FREE, "Free on the device", free);
  }

  private void outside(Optional<Quantity> reserved) {
    Optional<Quantity> unexplained =
        free.isPresent() && reserved.isPresent()
            ? minus(minus(total, free), reserved)
            : Optional.empty();
    Optional<Quantity> others =
        processes.stream().flatMap(each -> each.quantity().stream()).reduce(Quantity::plus);
    if (isListedAsOther(reserved, unexplained)) {
      conclusion.likely(
          "The process listed as "
              + processes.getFirst().of()
              + " is this program itself: it uses more than is left beside what this program has"
              + " reserved. In a container the process numbers differ, so PyTorch takes itself for"
              + " another process.");
      conclusion.share(
          Share.Kind.OUTSIDE,
          "Outside the allocator: CUDA context, libraries, others",
          unexplained);
      return;
    }
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
                          + " outside PyTorch’s allocator. A CUDA context with its libraries takes"
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
              + ".");
    }
    Optional<Quantity> rest =
        minus(
            thisProcess.isPresent() && free.isPresent()
                ? minus(minus(total, free), thisProcess)
                : unexplained,
            others);
    rest.filter(bytes -> bytes.bytes() > bytes.errorBytes()).ifPresent(this::unnamed);
  }

  private void unnamed(Quantity rest) {
    String label =
        thisProcess.isPresent()
            ? "Driver, or processes that are not listed"
            : "Outside the allocator: CUDA context, libraries, other processes";
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

  /** Whether the only listed process has to be this one, because both do not fit. */
  private boolean isListedAsOther(Optional<Quantity> reserved, Optional<Quantity> unexplained) {
    return thisProcess.isEmpty()
        && processes.size() == 1
        && reserved.isPresent()
        && unexplained.isPresent()
        && isSurelyMore(processes.getFirst().quantity().orElseThrow(), unexplained.get());
  }
}
