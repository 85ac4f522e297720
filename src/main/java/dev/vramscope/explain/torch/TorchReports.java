package dev.vramscope.explain.torch;

import static dev.vramscope.explain.message.Amounts.difference;
import static dev.vramscope.explain.message.Amounts.isSurelyMore;
import static dev.vramscope.explain.message.Amounts.minus;
import static dev.vramscope.explain.message.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Share;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What follows from the messages of PyTorch's other allocators, and from its memory summary. */
final class TorchReports {
  private TorchReports() {}

  static Conclusion of(LogMessage message) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    MessageKind kind = message.kind();
    if (kind == PyTorch.TORCH_MPS) {
      return mps(message, conclusion).build();
    }
    if (kind == PyTorch.TORCH_NVML) {
      return nvml(conclusion).build();
    }
    return (kind == PyTorch.TORCH_TIMELINE
            ? timeline(message, conclusion)
            : summary(message, conclusion))
        .build();
  }

  private static Conclusion.Builder mps(LogMessage message, Conclusion.Builder conclusion) {
    Optional<Quantity> requested = message.quantity(FieldName.REQUESTED);
    Optional<Quantity> allocated = message.quantity(FieldName.ALLOCATED);
    Optional<Quantity> other = message.quantity(FieldName.OTHER);
    Optional<Quantity> allowed = message.quantity(FieldName.ALLOWED);
    conclusion.headline("PyTorch on a Mac (MPS) could not serve a request" + size(message) + ".");
    if (allowed.isPresent() && allocated.isPresent()) {
      Quantity used = other.map(allocated.get()::plus).orElse(allocated.get());
      boolean isOver = isSurelyMore(used, allowed.get());
      conclusion.certain(
          "PyTorch limits itself to "
              + text(allowed.get())
              + "; "
              + (isOver
                  ? "what is in use already, "
                      + text(used)
                      + ", is "
                      + text(difference(used, allowed.get()))
                      + " more than this limit: the size of the request does not matter."
                  : text(used) + " of that are in use.")
              + requested
                  .filter(_ -> !isOver)
                  .filter(bytes -> isSurelyMore(used.plus(bytes), allowed.get()))
                  .map(
                      bytes ->
                          " With the request it would be "
                              + text(difference(used.plus(bytes), allowed.get()))
                              + " more than the limit.")
                  .orElse(""));
      conclusion.total(isOver ? Optional.of(used) : allowed);
      conclusion.share(Share.Kind.ALLOCATED, "Allocated by this program", allocated);
      conclusion.share(Share.Kind.OUTSIDE, "Other allocations of Metal", other);
      conclusion.share(Share.Kind.FREE, "Below the limit", minus(minus(allowed, allocated), other));
    }
    return conclusion
        .unknown("Which tensors hold the memory; PyTorch records no history on this backend.")
        .remedy(
            "Use less: a smaller model or input, lower precision, or give the allocator’s cache"
                + " back between the parts of the program.",
            "torch.mps.empty_cache()")
        .remedy(
            "Only as a last step, lift the limit. It is a share of the memory that the system"
                + " recommends for the GPU; 0.0 removes it. The Mac may become unresponsive,"
                + " because GPU and programs share its memory.",
            "PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0")
        .next(
            new Advice(
                "Print the memory at the points in question.",
                "print(torch.mps.current_allocated_memory(),"
                    + " torch.mps.driver_allocated_memory())"));
  }

  private static Conclusion.Builder nvml(Conclusion.Builder conclusion) {
    return conclusion
        .headline("A request of PyTorch failed, and so did writing the message about it.")
        .likely(
            "The device is out of memory. PyTorch reads the processes of the device from NVML for"
                + " its message; NVML refuses that for a MIG partition and on Jetson, and the"
                + " assertion hides the message.")
        .unknown("The size of the request, and all numbers of the device.")
        .next(
            new Advice(
                "Print the numbers that the message would have had.",
                "print(torch.cuda.mem_get_info(), torch.cuda.memory_summary())"))
        .next(CollectionAdvice.TORCH_SNAPSHOT);
  }

  private static Conclusion.Builder timeline(LogMessage message, Conclusion.Builder conclusion) {
    Optional<Quantity> peak = message.quantity(FieldName.IN_USE_PEAK);
    conclusion.headline(
        "A memory timeline of torch.profiler"
            + message.written(FieldName.DURATION).map(time -> " over " + time).orElse("")
            + ": at its peak, "
            + peak.map(Amounts::text).orElse("an unknown number of bytes")
            + " were allocated.");
    message.fields().stream()
        .filter(field -> field.name() == FieldName.AT_PEAK && field.quantity().isPresent())
        .max(Comparator.comparingLong(field -> field.quantity().orElseThrow().bytes()))
        .ifPresent(
            largest ->
                conclusion.certain(
                    "The peak was "
                        + message
                            .written(ProfilerTimeline.PEAK_TIME)
                            .map(time -> time + " after the first event")
                            .orElse("at the start")
                        + "; the largest category was then "
                        + largest.of()
                        + " with "
                        + text(largest.quantity().orElseThrow())
                        + "."));
    conclusion.total(peak);
    message.fields().stream()
        .filter(field -> field.name() == FieldName.AT_PEAK)
        .sorted(
            Comparator.comparingLong(field -> -field.quantity().map(Quantity::bytes).orElse(0L)))
        .forEach(
            field ->
                conclusion.share(
                    field.of().equals("temporaries") || field.of().equals("activations")
                        ? Share.Kind.TEMPORARY
                        : Share.Kind.ALLOCATED,
                    "At the peak: " + field.of(),
                    field.quantity()));
    return conclusion
        .likely(
            "The categories are those of the profiler, which derives them from what reads and"
                + " writes each tensor; what it cannot place is unknown. Memory that is no tensor"
                + " of the profiled steps, such as the workspaces of cuBLAS, is not in the"
                + " timeline.")
        .unknown(
            "Which lines of code allocated the memory, what was reserved, and the size of the"
                + " device: the timeline has totals by category only.")
        .next(CollectionAdvice.TORCH_SNAPSHOT);
  }

  private static Conclusion.Builder summary(LogMessage message, Conclusion.Builder conclusion) {
    Optional<Quantity> allocated = message.quantity(FieldName.ALLOCATED);
    Optional<Quantity> peak = message.quantity(FieldName.ALLOCATED_PEAK);
    Optional<Quantity> reserved = message.quantity(FieldName.RESERVED);
    conclusion.headline(
        message.kind().label()
            + message.written(FieldName.DEVICE).map(device -> " of GPU " + device).orElse("")
            + message.written(StatsDocument.RANK).map(rank -> ", rank " + rank).orElse("")
            + message.written(StatsDocument.KEY).map(key -> ", under “" + key + "”").orElse("")
            + message
                .written(FieldName.FAILURES)
                .map(
                    count ->
                        count.equals("0")
                            ? ", without a failed request"
                            : ", after "
                                + count
                                + " failed request"
                                + (count.equals("1") ? "" : "s"))
                .orElse("")
            + ".");
    List<String> contradictions = SummaryChecks.of(message);
    contradictions.forEach(conclusion::certain);
    if (!contradictions.isEmpty()) {
      return conclusion
          .unknown("What was allocated: which of the numbers is wrong does not follow from them.")
          .next(CollectionAdvice.TORCH_SNAPSHOT);
    }
    if (isWithoutCounters(message)) {
      return conclusion
          .certain(
              text(reserved.orElseThrow())
                  + " are reserved on the GPU. The zeros beside it are no measurement: with the"
                  + " backend cudaMallocAsync, PyTorch does not keep these counters.")
          .unknown("How much is allocated, and what failed, if anything did.")
          .next(TorchAsync.NATIVE_BACKEND);
    }
    if (allocated.isPresent() && peak.isPresent()) {
      conclusion.certain(
          text(allocated.get())
              + " are allocated, and at the peak it was "
              + text(peak.get())
              + reserved.map(bytes -> "; " + text(bytes) + " are reserved").orElse("")
              + ".");
    }
    if (allocated.isPresent() && reserved.isPresent()) {
      Optional<Quantity> pinned = message.quantity(FieldName.NON_RELEASABLE);
      Optional<Quantity> active = message.quantity(FieldName.ACTIVE);
      conclusion.share(Share.Kind.ALLOCATED, "Allocated by this program", allocated);
      if (pinned.isPresent() && active.isPresent()) {
        conclusion.share(
            Share.Kind.TEMPORARY, "Freed, still used by a stream", minus(active, allocated));
        conclusion.share(
            Share.Kind.UNALLOCATED, "Non-releasable: unallocated, in segments in use", pinned);
        conclusion.share(
            Share.Kind.FREE, "In wholly unused segments", minus(minus(reserved, active), pinned));
      } else {
        conclusion.share(
            Share.Kind.UNALLOCATED, "Reserved but unallocated", minus(reserved, allocated));
      }
      conclusion.total(reserved);
    }
    return conclusion
        .unknown(
            "The size of the device and who else uses it; which tensors are allocated; a request"
                + " that failed.")
        .next(CollectionAdvice.TORCH_SNAPSHOT);
  }

  /** Whether memory is reserved although everything else is 0: nobody counts it. */
  private static boolean isWithoutCounters(LogMessage message) {
    return message.quantity(FieldName.RESERVED).filter(bytes -> bytes.bytes() > 0).isPresent()
        && List.of(
                FieldName.ALLOCATED,
                FieldName.ACTIVE,
                FieldName.CLIENT_REQUESTED,
                FieldName.NON_RELEASABLE)
            .stream()
            .flatMap(name -> message.quantity(name).stream())
            .allMatch(bytes -> bytes.bytes() == 0)
        && message
            .quantity(FieldName.CLIENT_REQUESTED)
            .or(() -> message.quantity(FieldName.NON_RELEASABLE))
            .isPresent();
  }

  private static String size(LogMessage message) {
    return message.written(FieldName.REQUESTED).map(size -> " of " + size).orElse("");
  }
}
