package dev.vramscope.explain.torch;

import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;

/** Files in which scripts keep {@code torch.cuda.memory_stats()}, of one device or of many. */
public final class MemoryStatsFile implements MessageProducer {
  /** The counters of one device. */
  static final MessageKind STATS_FILE =
      MessageKind.measurement(
          "memory-stats-file", Memory.DEVICE, "PyTorch", "PyTorch’s memory_stats");

  @Override
  public String name() {
    return "PyTorch’s memory_stats in files of scripts";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of();
  }

  @Override
  public List<MessageKind> otherKinds() {
    return List.of(STATS_FILE);
  }

  @Override
  public List<LogMessage> readDocument(String text) {
    return StatsDocument.read(text);
  }

  @Override
  public List<String> examples() {
    return List.of(
        """
        {"rank": 3, "memory_stats": {"allocated_bytes.all.current": 6917529600,
          "allocated_bytes.all.peak": 9126805504, "reserved_bytes.all.current": 10737418240, "num_ooms": 0}}
        """,
        """
        {"cuda:1": {"allocated_bytes": {"all": {"current": 734003200, "peak": 1610612736}},
          "reserved_bytes": {"all": {"current": 2147483648}}, "num_alloc_retries": 2}}
        """);
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    return TorchReports.of(message);
  }
}
