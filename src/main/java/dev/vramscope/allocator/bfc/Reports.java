package dev.vramscope.allocator.bfc;

import java.util.ArrayList;
import java.util.List;

/** Decides which failures are reported, and keeps the entries until the lock is released. */
final class Reports {
  private final LogSink sink;
  private final FailureLogLimit limit;
  private final StateReader stateReader;
  private final MemoryLog memoryLog;
  private final List<LogEntry> log;

  Reports(
      BfcOptions options, Pool pool, StateReader stateReader, LogSink sink, FailureLogLimit limit) {
    this.sink = sink;
    this.limit = limit;
    this.stateReader = stateReader;
    this.log = new ArrayList<>();
    this.memoryLog = new MemoryLog(options, pool, log);
  }

  /** Where others put their entries. */
  List<LogEntry> log() {
    return log;
  }

  /** A request failed after its retries. */
  void outOfMemory(long requested, long rounded, AllocationEnd end, String operation) {
    if (!sink.equals(LogSink.SILENT)) {
      memoryLog.outOfMemory(requested, rounded, end, operation, stateReader.statistics());
    }
  }

  /**
   * A request failed at its first attempt; only the first such failures are worth a full report.
   */
  void outOfMemoryUntilLimit(long requested, long rounded, AllocationEnd end, String operation) {
    if (!limit.isReached()) {
      outOfMemory(requested, rounded, end, operation);
    }
  }

  void failedWithoutRetry(long requested, AllocationAttributes attributes) {
    if (limit.take()) {
      memoryLog.failedWithoutRetry(requested, attributes);
    }
  }

  void dump(long bytes, AllocationEnd end) {
    memoryLog.dump(bytes, end, stateReader.statistics());
  }

  /** The entries since the last call. The lock is held. */
  List<LogEntry> take() {
    if (log.isEmpty()) {
      return List.of();
    }
    List<LogEntry> taken = List.copyOf(log);
    log.clear();
    return taken;
  }

  /** Hands entries on. The lock is not held. */
  void deliver(List<LogEntry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      sink.log(entries.get(i));
    }
  }
}
