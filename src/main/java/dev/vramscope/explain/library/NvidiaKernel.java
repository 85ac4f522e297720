package dev.vramscope.explain.library;

import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;

/** Lines of NVIDIA's kernel module (NVRM) that mention memory. */
public final class NvidiaKernel implements MessageProducer {
  private static final MessageKind LINE =
      MessageKind.notice(
          "nvrm", Memory.NONE, "NVIDIA’s kernel module", "a line of NVIDIA’s kernel module");

  @Override
  public String name() {
    return "NVIDIA’s kernel module (NVRM)";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
            LINE, "NVRM: [^\\[]{0,200}Out of memory \\[NV_ERR_NO_MEMORY\\]", "[NV_ERR_NO_MEMORY]"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "[  611.904410] NVRM: nvCheckOkFailedNoLog: Check failed: Out of memory [NV_ERR_NO_MEMORY]"
            + " (0x00000051) returned from _memdescAllocInternal(pMemDesc) @ mem_desc.c:1359");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    return new Conclusion.Builder(message)
        .headline("NVIDIA’s kernel module could not allocate a descriptor of its own.")
        .certain(
            "This line alone does not mark a failure of a program: the module writes it also in"
                + " runs that go well, for instance when it tries another way.")
        .unknown("Whether a program was refused memory: its own log would say so.")
        .next(
            new Advice(
                "Look for an error of the program itself at the same time; without one, nothing has"
                    + " to be done.",
                "journalctl -k | grep -i NVRM"))
        .build();
  }
}
