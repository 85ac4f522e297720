package dev.vramscope.explain.library;

import dev.vramscope.evidence.Evidence;
import dev.vramscope.evidence.ProcessUse;
import dev.vramscope.evidence.Quantity;
import dev.vramscope.evidence.SmiText;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The output of {@code nvidia-smi} in a text, a message for each GPU. */
final class SmiMessages {
  private static final List<String> HEADS =
      List.of("NVIDIA-SMI", "Persistence-M", "Memory-Usage", "memory.total [");

  private SmiMessages() {}

  static List<LogMessage> read(String text) {
    int head = HEADS.stream().mapToInt(text::indexOf).filter(each -> each >= 0).min().orElse(-1);
    if (head < 0) {
      return List.of();
    }
    int start = text.lastIndexOf('\n', head) + 1;
    String table = text.substring(start, Math.min(text.length(), start + Evidence.MAX_CHARACTERS));
    int line = (int) text.substring(0, start).chars().filter(each -> each == '\n').count() + 1;
    return SmiText.parse(table)
        .map(smi -> smi.gpus().stream().map(gpu -> message(gpu, line)).toList())
        .orElse(List.of());
  }

  private static LogMessage message(SmiText.Gpu gpu, int line) {
    List<Field> fields = new ArrayList<>();
    fields.add(words(FieldName.DEVICE, Integer.toString(gpu.index())));
    fields.add(words(FieldName.MODEL, gpu.name()));
    gpu.used().ifPresent(used -> fields.add(mebibytes(FieldName.USED, "", used)));
    fields.add(mebibytes(FieldName.TOTAL, "", gpu.total()));
    for (ProcessUse process : gpu.processes()) {
      fields.add(mebibytes(FieldName.PROCESS, Long.toString(process.pid()), process.memory()));
    }
    return new LogMessage(NvidiaSmi.NVIDIA_SMI, line, 1, fields);
  }

  private static Field words(FieldName name, String written) {
    return new Field(name, "", written, Optional.empty());
  }

  private static Field mebibytes(FieldName name, String of, Quantity quantity) {
    return new Field(name, of, (quantity.bytes() >> 20) + " MiB", Optional.of(quantity));
  }
}
