package dev.vramscope.explain.host;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Facts;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** Windows, which promises no more memory than RAM and its paging file have together. */
public final class Windows implements MessageProducer {
  private static final MessageKind PAGING_FILE =
      MessageKind.failure(
          "windows-paging-file",
          Memory.HOST,
          "Windows",
          "a request for more memory than RAM and the paging file of Windows have");

  private static final MessageKind SYSTEM =
      MessageKind.context(
          "windows-memory", Memory.HOST, "Windows", "the memory of the host by systeminfo");

  private static final FieldName HOST_TOTAL = new FieldName("host-total", "Memory of the host");
  private static final FieldName HOST_FREE =
      new FieldName("host-available", "Available on the host");
  private static final FieldName COMMIT_LIMIT =
      new FieldName("commit-limit", "RAM and paging file together");
  private static final FieldName COMMIT_FREE =
      new FieldName("commit-available", "Left of RAM and paging file");

  @Override
  public String name() {
    return "Windows";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
            PAGING_FILE,
            "[Pp]aging file is too small|(?:os error|WinError) 1455\\b",
            "aging file is too small",
            "rror 1455"),
        MessageForm.of(SYSTEM, "(?!)")
            .part(
                "Total Physical Memory: {1,30}[0-9]|Virtual Memory: (?:Max Size|Available):"
                    + " {1,30}[0-9]",
                "Total Physical Memory:",
                "Virtual Memory:")
            .bytes(HOST_TOTAL, "Total Physical Memory: {1,30}" + SIZE)
            .bytes(HOST_FREE, "Available Physical Memory: {1,30}" + SIZE)
            .bytes(COMMIT_LIMIT, "Virtual Memory: Max Size: {1,30}" + SIZE)
            .bytes(COMMIT_FREE, "Virtual Memory: Available: {1,30}" + SIZE));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "OSError: [WinError 1455] The paging file is too small for this operation to complete.",
        "Total Physical Memory:     16,268 MB\nVirtual Memory: Max Size:  18,700 MB");
  }

  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return HostFailures.of(message, failures);
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    if (message.kind() == SYSTEM) {
      return conclusion.headline("The memory of the host, by systeminfo.").build();
    }
    if (HostFailures.together(message, failure).isEmpty()) {
      return conclusion.build(); // The same error, written twice.
    }
    Facts system = context.numbers();
    conclusion
        .headline(
            "Windows refused memory of the host: RAM and the paging file together were too small;"
                + " not the GPU’s memory.")
        .certain(
            "Windows counts what programs may write, used or not, and promises no more than RAM and"
                + " the paging file have. Files of weights that are opened and workers that are"
                + " started count in full. Settings of a GPU allocator do not change it.");
    if (system.quantity(COMMIT_LIMIT).isPresent() && system.quantity(COMMIT_FREE).isPresent()) {
      conclusion.certain(
          text(system.quantity(COMMIT_FREE).get())
              + " of "
              + text(system.quantity(COMMIT_LIMIT).get())
              + " were left when systeminfo ran"
              + system
                  .quantity(HOST_TOTAL)
                  .map(ram -> "; the host has " + text(ram) + " of RAM")
                  .orElse("")
              + ".");
    }
    return conclusion
        .remedy(
            "Make the paging file larger, as large as the weights that are loaded at least: System"
                + " properties, Advanced, Performance, Virtual memory; then restart.",
            "SystemPropertiesPerformance.exe")
        .remedy(
            "Or let the program need less of the host: fewer workers (num_workers=0), other"
                + " programs closed, weights loaded part by part, or more RAM.",
            "from_pretrained(…, low_cpu_mem_usage=True)")
        .unknown("Which programs hold the rest.")
        .next(
            new Advice(
                "See how much is promised to whom: Task Manager, Details, column Commit size.", ""))
        .build();
  }
}
