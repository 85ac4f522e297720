package dev.vramscope.explain.library;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.reading.MessageForm;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The tables of {@code nvidia-smi}. */
public final class NvidiaSmi implements MessageProducer {
  static final MessageKind NVIDIA_SMI =
      MessageKind.measurement(
          "nvidia-smi", Memory.DEVICE, "The driver", "the output of nvidia-smi");

  @Override
  public String name() {
    return "nvidia-smi";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of();
  }

  @Override
  public List<MessageKind> otherKinds() {
    return List.of(NVIDIA_SMI);
  }

  @Override
  public List<LogMessage> read(String text) {
    // Tables that repeat are a log.
    return SmiLog.read(text).isEmpty() ? SmiMessages.read(text) : List.of();
  }

  @Override
  public List<String> words() {
    return List.of("NVIDIA-SMI", "nvidia-smi", "MiB /");
  }

  @Override
  public List<String> examples() {
    return List.of(
"""
| NVIDIA-SMI 550.54      Driver Version: 550.54      CUDA Version: 12.4 |
|   0  NVIDIA L40S                    Off |   00000000:2A:00.0 Off |                    0 |
| N/A   47C    P0             79W /  350W |    5236MiB /  46068MiB |      0%      Default |
""");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    Optional<Quantity> used = message.quantity(FieldName.USED);
    Optional<Quantity> total = message.quantity(FieldName.TOTAL);
    conclusion.headline(
        "GPU "
            + message.written(FieldName.DEVICE).orElse("")
            + message.written(FieldName.MODEL).map(", "::concat).orElse("")
            + ": "
            + used.map(Amounts::text).orElse("an unknown part")
            + " of "
            + total.map(Amounts::text).orElse("unknown")
            + " were in use when nvidia-smi ran.");
    conclusion.total(total);
    message.fields().stream()
        .filter(field -> field.name() == FieldName.PROCESS)
        .sorted(
            Comparator.comparingLong(field -> -field.quantity().map(Quantity::bytes).orElse(0L)))
        .forEach(
            field ->
                conclusion.share(Share.Kind.ALLOCATED, "Process " + field.of(), field.quantity()));
    Optional<Quantity> processes =
        message.fields().stream()
            .filter(field -> field.name() == FieldName.PROCESS)
            .flatMap(field -> field.quantity().stream())
            .reduce(Quantity::plus);
    conclusion.share(
        Share.Kind.OUTSIDE,
        processes.isPresent() ? "Driver, or processes that are not listed" : "In use",
        Amounts.minus(used, processes));
    conclusion.share(Share.Kind.FREE, "Free", Amounts.minus(total, used));
    conclusion.unknown(
        "What was in use at another moment, such as that of a failure; what the processes use it"
            + " for.");
    conclusion.next(
        new Advice(
            "Attach this text to a snapshot of the same device: it says who else used it.", ""));
    return conclusion.build();
  }
}
