package dev.vramscope.explain.host;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** macOS, which ends processes for lack of memory; GPU and programs share it. */
public final class MacOs implements MessageProducer {
  private static final MessageKind KILLED =
      MessageKind.failure("macos-killed", Memory.HOST, "macOS", "a process that macOS killed");

  private static final FieldName PID = new FieldName("pid", "Process");
  private static final FieldName NAME = new FieldName("process-name", "Name of the process");

  @Override
  public String name() {
    return "macOS";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                KILLED,
                "(?:memorystatus|low swap): killing (?:largest compressed|top) process"
                    + "|killing largest compressed process",
                "killing ")
            .words(NAME, "compressed process ([^\\s\\[]{1,60}) \\[")
            .words(PID, "\\[([0-9]{1,10})\\] [0-9]|with pid ([0-9]{1,10})")
            .bytes(FieldName.USED, "\\[[0-9]{1,10}\\] " + SIZE + "|and size " + SIZE));
  }

  @Override
  public List<MessageKind> otherKinds() {
    return List.of(MpsTable.MEASURED);
  }

  @Override
  public List<LogMessage> read(String text) {
    return MpsTable.read(text).stream().toList();
  }

  @Override
  public List<String> words() {
    return List.of("driver_allocated", "current_allocated", "torch.mps");
  }

  @Override
  public List<String> examples() {
    return List.of(
        "kernel: memorystatus: killing largest compressed process python3.12 [7310] 28870 MB");
  }

  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return HostFailures.of(message, failures);
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    if (message.kind() == MpsTable.MEASURED) {
      return new Conclusion.Builder(message)
          .headline("A table of what PyTorch’s MPS allocator holds.")
          .build();
    }
    Optional<Quantity> driver = context.numbers().quantity(MpsTable.DRIVER);
    Optional<Quantity> live = context.numbers().quantity(MpsTable.LIVE);
    Conclusion.Builder conclusion =
        new Conclusion.Builder(message)
            .headline(
                "macOS killed the process "
                    + message.written(NAME).orElse("")
                    + message
                        .quantity(FieldName.USED)
                        .map(bytes -> ", which had " + text(bytes))
                        .orElse("")
                    + ", because the memory of the machine was used up.")
            .certain(
                "GPU and programs share one memory on a Mac: what PyTorch’s MPS allocator holds is"
                    + " part of it, and is not all in the RSS of the process.");
    if (driver.isPresent() && live.isPresent() && driver.get().bytes() > 2 * live.get().bytes()) {
      conclusion.certain(
          "The driver held "
              + text(driver.get())
              + " for the allocator of MPS, far more than the "
              + text(live.get())
              + " that were live: the allocator keeps freed blocks in its cache."
              + context
                  .numbers()
                  .quantity(MpsTable.AFTER)
                  .map(bytes -> " After empty_cache() it was " + text(bytes) + ".")
                  .orElse(""));
    } else {
      conclusion.likely(
          "PyTorch’s MPS allocator keeps freed blocks in its cache, which may hold far more than is"
              + " live.");
    }
    return conclusion
        .remedy("Give the cache back between the steps that need much.", "torch.mps.empty_cache()")
        .remedy("Use a smaller model or input, or lower precision.", "")
        .next(
            new Advice(
                "Print both numbers after each step: a driver that grows while what is allocated"
                    + " stays is the cache.",
                "print(torch.mps.current_allocated_memory(), torch.mps.driver_allocated_memory())"))
        .build();
  }
}
