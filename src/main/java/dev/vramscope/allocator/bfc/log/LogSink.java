package dev.vramscope.allocator.bfc.log;

/** Receives log entries. Called outside the allocator's lock. */
@FunctionalInterface
public interface LogSink {
  /** Discards all entries; reports are not formatted either. */
  LogSink SILENT = entry -> {};

  void log(LogEntry entry);
}
