package dev.vramscope.allocator.bfc;

/** One entry of the original's log, without what glog puts before it. */
public record LogEntry(Severity severity, String text) {
  /** How much it matters. */
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

  static LogEntry info(String text) {
    return new LogEntry(Severity.INFO, text);
  }

  static LogEntry warning(String text) {
    return new LogEntry(Severity.WARNING, text);
  }
}
