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
import java.util.List;
import java.util.Optional;

/** {@code nvidia-smi} that repeats itself: memory in use over time, of each GPU or process. */
public final class NvidiaSmiLog implements MessageProducer {
  static final MessageKind SMI_LOG =
      MessageKind.measurement(
          "nvidia-smi-log", Memory.DEVICE, "The driver", "memory over time from nvidia-smi");

  static final FieldName PID = new FieldName("pid", "Process");

  /** Of the device in use; the driver keeps some for itself. */
  private static final double NEARLY_FULL = 0.95;

  private static final double GROWTH = 1.2;
  private static final int LEAST_SAMPLES = 5;

  @Override
  public String name() {
    return "nvidia-smi over time (-l, dmon, pmon, --query-gpu)";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of();
  }

  @Override
  public List<MessageKind> otherKinds() {
    return List.of(SMI_LOG);
  }

  @Override
  public List<LogMessage> read(String text) {
    return SmiLog.read(text);
  }

  @Override
  public List<String> words() {
    return List.of("memory.used", " fb ", "NVIDIA-SMI");
  }

  @Override
  public List<String> examples() {
    return List.of(
"""
timestamp, index, name, memory.used [MiB], memory.total [MiB]
2026/03/02 09:14:01.118, 0, NVIDIA L4, 1042 MiB, 23034 MiB
2026/03/02 09:14:06.121, 0, NVIDIA L4, 15830 MiB, 23034 MiB
2026/03/02 09:14:11.124, 0, NVIDIA L4, 22518 MiB, 23034 MiB
""",
"""
#Time        gpu     fb   bar1
#HH:MM:SS    Idx     MB     MB
 11:02:40      1   8412     12
 11:02:41      1   8420     12
""",
"""
# gpu         pid   type     fb   command
# Idx           #    C/G     MB   name
    0       48211     C    6120   python
    0       48211     C    6384   python
""");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    Quantity first = message.quantity(SmiLog.FIRST).orElseThrow();
    Quantity peak = message.quantity(SmiLog.PEAK).orElseThrow();
    Quantity last = message.quantity(FieldName.USED).orElseThrow();
    Optional<Quantity> total = message.quantity(FieldName.TOTAL);
    boolean isProcess = message.written(PID).isPresent();
    conclusion.headline(
        subject(message, isProcess)
            + " at most "
            + Amounts.text(peak)
            + total.map(bytes -> " of " + Amounts.text(bytes)).orElse("")
            + (isProcess ? "" : " were in use")
            + " in "
            + message.written(FieldName.RECORDS).orElse("0")
            + " samples of nvidia-smi.");
    conclusion.certain(
        "From "
            + Amounts.text(first)
            + at(message, SmiLog.FIRST_TIME)
            + ", to the peak of "
            + Amounts.text(peak)
            + at(message, SmiLog.PEAK_TIME)
            + ", and "
            + Amounts.text(last)
            + " at the end"
            + at(message, SmiLog.LAST_TIME)
            + ".");
    total
        .filter(bytes -> !isProcess && peak.bytes() >= NEARLY_FULL * bytes.bytes())
        .ifPresent(
            bytes ->
                conclusion.certain(
                    "The GPU was nearly full: at the peak, "
                        + Amounts.text(Amounts.difference(bytes, peak))
                        + " were left, of which the driver keeps a part."));
    if (isGrowing(message, first, peak, last)) {
      conclusion.likely(
          "It grew from sample to sample, and was not given back by the end: memory that is kept"
              + " from step to step is a leak, or a cache that grows with its inputs.");
    }
    if (message.written(FieldName.DEVICE).isEmpty()) {
      conclusion.unknown(
          "Of which GPU a row is: the text does not say it. With several GPUs, the numbers are of"
              + " all rows.");
    }
    if (total.isPresent()) {
      conclusion.sharesTitle("At the peak").total(total);
      conclusion.share(Share.Kind.OUTSIDE, "In use", Optional.of(peak));
      conclusion.share(Share.Kind.FREE, "Free", Amounts.minus(total, Optional.of(peak)));
    } else if (!isProcess) {
      conclusion.unknown("How large the GPU is: these columns do not have it.");
    }
    return conclusion
        .unknown(
            "What was in use between two samples: a short peak may be higher. nvidia-smi counts"
                + " what the allocators of the programs hold, not what they have allocated of it.")
        .next(
            new Advice(
                "Log which process uses the memory, beside the GPUs.",
                isProcess
                    ? "nvidia-smi --query-gpu=timestamp,index,memory.used,memory.total --format=csv"
                        + " -l 1"
                    : "nvidia-smi pmon -s m -o DT"))
        .build();
  }

  private static String subject(LogMessage message, boolean isProcess) {
    String gpu = message.written(FieldName.DEVICE).map(index -> "GPU " + index).orElse("The GPU");
    String name = message.written(FieldName.MODEL).orElse("");
    return isProcess
        ? "Process "
            + message.written(PID).orElse("")
            + (name.isEmpty() ? "" : " (" + name + ")")
            + " on "
            + gpu
            + " used"
        : gpu + (name.isEmpty() ? "" : ", " + name) + ":";
  }

  private static String at(LogMessage message, FieldName time) {
    return message.written(time).map(written -> " (" + written + ")").orElse("");
  }

  private static boolean isGrowing(
      LogMessage message, Quantity first, Quantity peak, Quantity last) {
    int samples = Integer.parseInt(message.written(FieldName.RECORDS).orElse("0"));
    int falls = Integer.parseInt(message.written(SmiLog.FALLS).orElse("0"));
    return samples >= LEAST_SAMPLES
        && last.bytes() >= GROWTH * first.bytes()
        && last.bytes() >= 0.95 * peak.bytes()
        && falls <= samples / 10;
  }
}
