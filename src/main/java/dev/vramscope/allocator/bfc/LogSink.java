package dev.vramscope.allocator.bfc;

/** Where log entries go. Called outside the allocator's lock. */
@FunctionalInterface
public interface LogSink {
  /** Wants nothing; reports are not even written. */
  LogSink SILENT = entry -> {};

  void log(LogEntry entry);
}
