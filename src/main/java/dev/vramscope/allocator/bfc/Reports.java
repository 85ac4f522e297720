package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.bfc.log.FailureLogLimit;
import dev.vramscope.allocator.bfc.log.LogEntry;
import dev.vramscope.allocator.bfc.log.LogSink;
import java.util.ArrayList;
import java.util.List;

/** Decides which failures are logged, and buffers the entries until the lock is released. */
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

  /** The buffer for entries of other classes. */
  List<LogEntry> log() {
    return log;
  }

  /** Logs a request that failed after its retries. */
  void outOfMemory(long requested, long rounded, AllocationEnd end, String operation) {
    if (!sink.equals(LogSink.SILENT)) {
      memoryLog.outOfMemory(requested, rounded, end, operation, stateReader.statistics());
    }
  }

  /**
   * Logs a request that failed without retry in full, until the limit of such reports is reached.
   */
  void outOfMemoryUntilLimit(long requested, long rounded, AllocationEnd end, String operation) {
    if (!limit.isReached()) {
      outOfMemory(requested, rounded, end, operation);
    }
  }

  void failedWithoutRetry(long requested, AllocationAttributes attributes) {
    if (limit.tryCount()) {
      memoryLog.failedWithoutRetry(requested, attributes);
    }
  }

  void dump(long bytes, AllocationEnd end) {
    memoryLog.dump(bytes, end, stateReader.statistics());
  }

  /** Returns and removes the buffered entries. The caller holds the lock. */
  List<LogEntry> drain() {
    if (log.isEmpty()) {
      return List.of();
    }
    List<LogEntry> drained = List.copyOf(log);
    log.clear();
    return drained;
  }

  /** Passes entries to the sink. The caller does not hold the lock. */
  void deliver(List<LogEntry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      sink.log(entries.get(i));
    }
  }
}
