package dev.vramscope.explain.torch;

import static dev.vramscope.explain.message.Amounts.isSurelyAtLeast;
import static dev.vramscope.explain.message.Amounts.isSurelyMore;
import static dev.vramscope.explain.message.Amounts.minus;
import static dev.vramscope.explain.message.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.FailingCode;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.ProgramPhase;
import dev.vramscope.explain.producer.Share;
import java.util.Optional;

/** What follows from a failed request of PyTorch with the driver's allocator, cudaMallocAsync. */
final class TorchAsync {
  static final Advice NATIVE_BACKEND =
      new Advice(
          "Run it with PyTorch’s own allocator: its counters are then kept, and its history can be"
              + " recorded. ComfyUI has the option --disable-cuda-malloc.",
          "PYTORCH_CUDA_ALLOC_CONF=backend:native");

  /** A context, libraries and a window system take the rest of a small device. */
  private static final double NEARLY_ALL = 0.8;

  private final LogMessage message;
  private final Conclusion.Builder conclusion;
  private final Optional<Quantity> requested;
  private final Optional<Quantity> allocated;
  private final Optional<Quantity> total;
  private final Optional<Quantity> free;

  private TorchAsync(LogMessage message) {
    this.message = message;
    conclusion = new Conclusion.Builder(message);
    requested = message.quantity(FieldName.REQUESTED);
    allocated = message.quantity(FieldName.ALLOCATED);
    total = message.quantity(FieldName.TOTAL);
    free = message.quantity(FieldName.FREE);
  }

  static Conclusion of(LogMessage message, LogContext context) {
    return new TorchAsync(message).conclusion(context);
  }

  private Conclusion conclusion(LogContext context) {
    conclusion.headline(
        "The driver’s allocator (backend:cudaMallocAsync) could not serve a request"
            + message.written(FieldName.REQUESTED).map(" of "::concat).orElse("")
            + message.onGpu()
            + ".");
    if (isTooMuch()) {
      conclusion.certain(
          "Too much is live: what the program has allocated, "
              + text(allocated.orElseThrow())
              + ", and the request are together "
              + text(allocated.get().plus(requested.orElseThrow()))
              + ", more than the device’s "
              + text(total.orElseThrow())
              + ".");
    }
    if (requested.isPresent() && free.isPresent()) {
      if (isSurelyMore(requested.get(), free.get())) {
        conclusion.certain(
            "The driver had "
                + text(free.get())
                + " free, less than the request. Its pool may hold more, which this number does not"
                + " include.");
      } else if (isSurelyAtLeast(free.get(), requested.get())) {
        conclusion.likely(
            "The driver had enough free memory; a limit such as"
                + " torch.cuda.set_per_process_memory_fraction refused the request.");
      }
    }
    Optional<FailingCode> code = context.codeOf(message);
    code.map(FailingCode::sentence).ifPresent(conclusion::certain);
    if (isNearlyAll() && !isTooMuch()) {
      conclusion.likely(
          "Too much is live: the program itself has allocated "
              + text(allocated.orElseThrow())
              + " of the device’s "
              + text(total.orElseThrow())
              + "; the rest is in the driver’s pool, the CUDA context, or held by others.");
    }
    if (isTooMuch() || isNearlyAll()) {
      ProgramPhase phase = code.map(FailingCode::phase).orElse(ProgramPhase.OTHER);
      new TorchRemedies(message, conclusion, context, phase).holdLess("");
    }
    conclusion.total(total);
    conclusion.share(Share.Kind.ALLOCATED, "Allocated by this program", allocated);
    if (allocated.isPresent()) {
      conclusion.share(
          Share.Kind.OUTSIDE,
          "In the driver’s pool, the CUDA context, or other processes",
          minus(minus(total, free), allocated));
    }
    conclusion.share(Share.Kind.FREE, "Free on the device", free);
    return conclusion
        .unknown(
            "How much of the driver’s pool is free inside it, and in which pieces: this backend"
                + " does not report it.")
        .next(NATIVE_BACKEND)
        .next(CollectionAdvice.TORCH_SNAPSHOT)
        .next(CollectionAdvice.PROCESSES)
        .build();
  }

  /** Whether the program's own allocations leave little of a device that is full. */
  private boolean isNearlyAll() {
    return allocated.isPresent()
        && total.isPresent()
        && requested.isPresent()
        && free.filter(bytes -> isSurelyMore(requested.get(), bytes)).isPresent()
        && allocated.get().bytes() > NEARLY_ALL * total.get().bytes();
  }

  private boolean isTooMuch() {
    return requested.isPresent()
        && allocated.isPresent()
        && total.isPresent()
        && isSurelyMore(requested.get().plus(allocated.get()), total.get());
  }
}
