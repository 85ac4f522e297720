package dev.vramscope.replay;

import java.nio.file.Path;

/** A line of a trace makes no sense. */
final class TraceLineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;

  TraceLineException(int line, String message) {
    super(message);
    this.line = line;
  }

  /** The same with how the line should look. */
  TraceLineException with(Grammar grammar, String operation) {
    TraceLineException e =
        new TraceLineException(line, getMessage() + " " + grammar.hint(operation));
    e.initCause(this);
    return e;
  }

  /** The same with the name of the file. */
  InputException in(Path trace) {
    return new InputException(trace + ":" + line + ": " + getMessage(), this);
  }
}
