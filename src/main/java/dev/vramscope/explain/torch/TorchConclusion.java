package dev.vramscope.explain.torch;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.FailingCode;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.ProgramPhase;
import java.util.List;
import java.util.Optional;

/** What follows from the message of PyTorch's caching allocator. */
final class TorchConclusion {
  private TorchConclusion() {}

  static Conclusion of(LogMessage message, LogContext context) {
    return TorchNumbers.of(message)
        .map(numbers -> of(message, numbers, context))
        .orElseGet(() -> withoutSize(message));
  }

  private static Conclusion of(LogMessage message, TorchNumbers numbers, LogContext context) {
    TorchBackend backend = TorchBackend.of(message);
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    conclusion.headline(
        "PyTorch’s caching allocator could not serve a request of "
            + message.written(FieldName.REQUESTED).orElseThrow()
            + message
                .written(FieldName.DEVICE)
                .map(device -> " on " + backend.device() + " " + device)
                .orElse("")
            + ".");
    Optional<FailingCode> code = context.codeOf(message);
    ProgramPhase phase = code.map(FailingCode::phase).orElse(ProgramPhase.OTHER);
    if (phase != ProgramPhase.RESULTS) {
      addGrowth(conclusion, context);
    }
    if (phase != ProgramPhase.LOADING) {
      code.map(each -> each.remedies(context.serving().isPresent()))
          .orElse(List.of())
          .forEach(conclusion::remedy);
    }
    if (phase == ProgramPhase.RESULTS) {
      code.map(FailingCode::sentence).ifPresent(conclusion::certain);
    }
    TorchRemedies remedies = new TorchRemedies(message, conclusion, context, phase);
    new TorchCause(message, conclusion, numbers, context, remedies).add();
    if (phase != ProgramPhase.RESULTS) {
      code.map(FailingCode::sentence).ifPresent(conclusion::certain);
    }
    TorchHolders holders = new TorchHolders(message, conclusion, backend, numbers, context);
    holders.add();
    conclusion.unknown(
        "Which tensors are allocated and which lines of code allocated them"
            + (context.growth().isPresent() ? "" : "; whether memory grows from step to step")
            + (context.isExpandable() ? "." : "; the allocator’s settings."));
    conclusion.next(backend.snapshot());
    if (holders.isAnyoneUnnamed()) {
      conclusion.next(backend.processes());
    }
    return conclusion.build();
  }

  /** What is kept from step to step matters more than the request that failed in the end. */
  private static void addGrowth(Conclusion.Builder conclusion, LogContext context) {
    context
        .growth()
        .ifPresent(
            growth ->
                conclusion
                    .likely(
                        "A leak: “"
                            + growth.name()
                            + "” in the log grows from "
                            + growth.first()
                            + " to "
                            + growth.last()
                            + " over "
                            + growth.count()
                            + " values that were read. Something that is made in each step is kept;"
                            + " the line that failed is only where the room ran out.")
                    .remedy(
                        "Look for what is kept from step to step: outputs, losses or metrics in a"
                            + " list, or a queue without a bound. Keep numbers (.item()) or copies"
                            + " on the CPU without their graph.",
                        "kept.append(loss.item()); outputs.append(out.detach().cpu())"));
  }

  private static Conclusion withoutSize(LogMessage message) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    return conclusion
        .headline("A request failed in PyTorch’s caching allocator; its size is cut off.")
        .unknown("The size of the request, and all numbers of the device.")
        .next(CollectionAdvice.WHOLE_TEXT)
        .next(TorchBackend.of(message).snapshot())
        .build();
  }
}
