package dev.vramscope.explain.serving;

import static dev.vramscope.explain.message.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.reading.MessageForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** llama.cpp's table of the memory of each device, planned or at the end of a run. */
public final class LlamaBreakdown implements MessageProducer {
  private static final MessageKind TABLE =
      MessageKind.measurement(
          "llama-cpp-breakdown",
          Memory.DEVICE,
          "llama.cpp",
          "llama.cpp’s table of the memory of each device");

  private static final FieldName TOTAL = new FieldName("device-total", "Size of the device");
  private static final FieldName FREE = new FieldName("device-free", "Free on the device");
  private static final FieldName SELF = new FieldName("device-self", "Of llama.cpp, in all");
  private static final FieldName WEIGHTS = new FieldName("device-model", "Weights");
  private static final FieldName CACHE = new FieldName("device-context", "KV cache");
  private static final FieldName COMPUTE = new FieldName("device-compute", "Compute buffer");
  private static final FieldName PLAN = new FieldName("plan", "Planned, not allocated");

  private static final String NUMBER = " {0,12}(-?[0-9]{1,9}) {0,12}";

  /** | - CUDA0 (RTX A5000) | total = free + (self = model + context + compute) + unaccounted |. */
  private static final Pattern ROW =
      Pattern.compile(
          "\\| {0,6}- ([A-Za-z]{2,20}[0-9]{1,3})(?: \\([^|]{0,100}\\))? {0,40}\\|"
              + NUMBER
              + "="
              + NUMBER
              + "\\+ {0,4}\\("
              + NUMBER
              + "="
              + NUMBER
              + "\\+"
              + NUMBER
              + "\\+"
              + NUMBER
              + "\\)");

  /** Lines that are written while nothing is allocated yet. */
  private static final Pattern IS_PLAN =
      Pattern.compile("params_fit|test allocation|projected to use|memory for test");

  private static final long MIB = 1L << 20;

  @Override
  public String name() {
    return "llama.cpp’s and Ollama’s memory breakdown";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of();
  }

  @Override
  public List<MessageKind> otherKinds() {
    return List.of(TABLE);
  }

  @Override
  public List<LogMessage> read(String text) {
    if (!text.contains("memory breakdown")) {
      return List.of();
    }
    List<Field> fields = new ArrayList<>();
    int firstLine = 0;
    int number = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      Matcher row = line.indexOf('|') < 0 ? null : ROW.matcher(line);
      if (row != null && row.find()) {
        firstLine = firstLine == 0 ? number : firstLine;
        FieldName[] names = {TOTAL, FREE, SELF, WEIGHTS, CACHE, COMPUTE};
        for (int i = 0; i < names.length; i++) {
          fields.add(mebibytes(names[i], row.group(1), row.group(i + 2)));
        }
      }
    }
    if (fields.isEmpty()) {
      return List.of();
    }
    if (IS_PLAN.matcher(text).find()) {
      fields.add(new Field(PLAN, "", "yes", Optional.empty()));
    }
    return List.of(new LogMessage(TABLE, firstLine, 1, fields));
  }

  private static Field mebibytes(FieldName name, String device, String written) {
    long value = Long.parseLong(written);
    return new Field(
        name,
        device,
        written + " MiB",
        value < 0 ? Optional.empty() : Optional.of(new Quantity(value * MIB, MIB / 2)));
  }

  @Override
  public List<String> words() {
    return List.of("memory breakdown");
  }

  @Override
  public List<String> examples() {
    return List.of(
        "llama_memory_breakdown_print: | memory breakdown [MiB]   | total    free     self   model"
            + "   context   compute    unaccounted |\n"
            + "llama_memory_breakdown_print: |   - CUDA0 (RTX A5000) | 24111 = 23950 + ( 1210 =  "
            + " 790 +       4 +     416) +       -1049 |");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    boolean isPlan = message.written(PLAN).isPresent();
    List<String> devices =
        message.fields().stream()
            .filter(field -> field.name() == SELF)
            .map(Field::of)
            .distinct()
            .toList();
    List<String> over =
        devices.stream()
            .filter(
                device ->
                    bytes(message, SELF, device).orElse(0L)
                        > bytes(message, TOTAL, device).orElse(Long.MAX_VALUE))
            .toList();
    String kind =
        isPlan ? "llama.cpp’s plan of the memory" : "llama.cpp’s table of the memory in use";
    if (over.isEmpty()) {
      conclusion.headline(kind + ": each device has what it is given.");
    } else {
      String device = over.getFirst();
      conclusion
          .headline(
              kind
                  + " gives "
                  + device
                  + " more than it has: "
                  + text(quantity(message, SELF, device))
                  + " of "
                  + text(quantity(message, TOTAL, device))
                  + ".")
          .certain(
              device
                  + " is to hold "
                  + text(quantity(message, SELF, device))
                  + ", "
                  + text(quantity(message, WEIGHTS, device))
                  + " of it weights, more than the "
                  + text(quantity(message, TOTAL, device))
                  + " that it has. Negative numbers in the last column are this difference.");
      List<String> others =
          devices.stream()
              .filter(
                  each ->
                      !over.contains(each)
                          && bytes(message, FREE, each).orElse(0L)
                              > bytes(message, SELF, each).orElse(0L))
              .toList();
      if (!others.isEmpty()) {
        conclusion.certain(
            "Other devices have room: "
                + String.join(", ", others)
                + " are given less than they"
                + " have free.");
        conclusion.remedy(
            "Divide the model in another way over the devices, in proportion to their free memory.",
            "--tensor-split 2,1,1");
      } else {
        conclusion.remedy("Keep fewer layers on the GPU.", "--n-gpu-layers 20");
      }
    }
    conclusion.certain(
        isPlan
            ? "It is a plan with a test allocation: nothing was allocated, and nothing failed."
            : "It is a report, not a failure.");
    if (devices.size() == 1) {
      String device = devices.getFirst();
      conclusion.total(Optional.of(quantity(message, TOTAL, device)));
      conclusion.share(
          Share.Kind.ALLOCATED, "Weights", Optional.of(quantity(message, WEIGHTS, device)));
      conclusion.share(
          Share.Kind.ALLOCATED, "KV cache", Optional.of(quantity(message, CACHE, device)));
      conclusion.share(
          Share.Kind.TEMPORARY, "Compute buffer", Optional.of(quantity(message, COMPUTE, device)));
    }
    return conclusion.build();
  }

  private static Optional<Long> bytes(LogMessage message, FieldName name, String device) {
    return message.fields().stream()
        .filter(field -> field.name() == name && field.of().equals(device))
        .flatMap(field -> field.quantity().stream())
        .map(Quantity::bytes)
        .findFirst();
  }

  private static Quantity quantity(LogMessage message, FieldName name, String device) {
    return new Quantity(bytes(message, name, device).orElse(0L), 0);
  }
}
