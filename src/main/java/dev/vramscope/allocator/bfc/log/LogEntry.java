package dev.vramscope.allocator.bfc.log;

/** One entry of XLA's log, without glog's prefix. */
public record LogEntry(Severity severity, String text) {
  /** glog's severity. */
  public enum Severity {
    INFO('I'),
    WARNING('W');

    private final char letter;

    Severity(char letter) {
      this.letter = letter;
    }

    /** glog's letter. */
    public char letter() {
      return letter;
    }
  }

  public static LogEntry info(String text) {
    return new LogEntry(Severity.INFO, text);
  }

  public static LogEntry warning(String text) {
    return new LogEntry(Severity.WARNING, text);
  }
}
