package dev.vramscope.explain.library;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.Statement;
import dev.vramscope.model.Certainty;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The processes that {@code nvidia-smi} lists in the text of a failure whose own message names
 * none.
 */
public final class SmiProcesses {
  /** A window system and the context of an idle program have less. */
  private static final long LEAST_BYTES = 256L << 20;

  private SmiProcesses() {}

  /** The conclusion about a failure, with what the table in the same text adds to it. */
  public static Conclusion beside(Conclusion conclusion, LogContext context) {
    boolean isOpen =
        conclusion.message().kind().isFailure()
            && conclusion.message().kind().memory() == Memory.DEVICE
            && conclusion.messages().stream()
                .flatMap(message -> message.fields().stream())
                .noneMatch(field -> field.name() == FieldName.PROCESS);
    List<Field> processes = isOpen ? processes(conclusion.message(), context) : List.of();
    if (processes.isEmpty()) {
      return conclusion;
    }
    List<Field> own = processes.stream().filter(each -> context.hasElsewhere(each.of())).toList();
    List<Field> others =
        processes.stream().filter(each -> !own.contains(each) && isNotable(each)).toList();
    boolean isKnown = own.size() == 1;
    Statement statement =
        new Statement(
            Certainty.CERTAIN,
            "When nvidia-smi ran, it listed "
                + processes.stream()
                    .map(each -> "process " + each.of() + " with " + amount(each))
                    .collect(Collectors.joining(", "))
                + " on this GPU"
                + (isKnown
                    ? "; " + own.getFirst().of() + " is this program, whose log has that number."
                    : "; the text does not say which of them is this program."));
    return conclusion.beside(statement, isKnown ? remedies(others) : List.of());
  }

  private static List<Advice> remedies(List<Field> others) {
    return others.isEmpty()
        ? List.of()
        : List.of(
            new Advice(
                "End process "
                    + others.getFirst().of()
                    + ", which held "
                    + amount(others.getFirst())
                    + " of this GPU, or use another GPU.",
                "nvidia-smi"));
  }

  private static String amount(Field process) {
    return process.quantity().map(Amounts::text).orElse(process.written());
  }

  /** Those of the GPU of the failure, or of the only GPU of the table. */
  private static List<Field> processes(LogMessage failure, LogContext context) {
    List<LogMessage> gpus =
        context.numbers().messages().stream()
            .filter(message -> message.kind() == NvidiaSmi.NVIDIA_SMI)
            .toList();
    Optional<String> device = failure.written(FieldName.DEVICE);
    return gpus.stream()
        .filter(gpu -> gpus.size() == 1 || gpu.written(FieldName.DEVICE).equals(device))
        .flatMap(gpu -> gpu.fields().stream())
        .filter(field -> field.name() == FieldName.PROCESS)
        .filter(field -> isNotable(field) || context.hasElsewhere(field.of()))
        .toList();
  }

  private static boolean isNotable(Field process) {
    return process.quantity().map(Quantity::bytes).filter(each -> each >= LEAST_BYTES).isPresent();
  }
}
