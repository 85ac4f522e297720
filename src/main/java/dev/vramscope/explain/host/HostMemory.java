package dev.vramscope.explain.host;

import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.explain.findings.FieldName;
import dev.vramscope.explain.findings.LogMessage;
import dev.vramscope.explain.findings.Memory;
import dev.vramscope.explain.findings.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.Producer;
import dev.vramscope.explain.reading.MessageForm;
import dev.vramscope.model.ByteText;
import java.util.List;

/** Failures of the host's memory. */
public final class HostMemory implements Producer {
  /** A failure of the host's memory. */
  public static final MessageKind HOST =
      MessageKind.failure(
          "host", Memory.HOST, "The host’s memory", "the host’s memory ran out, not the GPU’s");

  @Override
  public String name() {
    return "Memory of the host";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                HOST,
                "Out of memory: Kill(?:ed)? process [0-9]|DefaultCPUAllocator: (?:can't|not)"
                    + "|\\(pid\\(?s?\\)? ?[0-9 ,]{1,60}\\) is killed by signal: Killed",
                "Out of memory: Kill",
                "DefaultCPUAllocator:",
                "is killed by signal: Killed")
            .bytes(FieldName.REQUESTED, "tried to allocate " + SIZE)
            .words(FieldName.REASON, "Kill(?:ed)? process ([0-9]{1,10} \\([^)]{1,40}\\))"));
  }

  @Override
  public List<String> examples() {
    return List.of("RuntimeError: DataLoader worker (pid 4410) is killed by signal: Killed.");
  }

  @Override
  public Conclusion conclude(LogMessage finding, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(finding);
    String size = size(finding);
    conclusion
        .headline(
            "The memory of the host ran out"
                + (size.isEmpty() ? "" : " at a request" + size)
                + ", not that of the GPU.")
        .certain(
            "This message is about the memory of the host. Settings of a GPU allocator do not"
                + " change it.")
        .likely(
            "Workers of a data loader, a large dataset in memory, or a checkpoint being loaded.")
        .unknown("Which process used the memory before.")
        .next(
            new Advice(
                "Look at the kernel’s log: it lists all processes with their memory.",
                "journalctl -k | grep -i -A 40 'out of memory'"));
    return conclusion.build();
  }

  private static String size(LogMessage message) {
    return message
        .quantity(FieldName.REQUESTED)
        .map(bytes -> " of " + ByteText.of(bytes.bytes()))
        .orElse("");
  }
}
