package dev.vramscope.replay;

import java.nio.file.Path;

/** A malformed line of a trace. */
final class TraceLineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;

  TraceLineException(int line, String message) {
    super(message);
    this.line = line;
  }

  /** The same error with the correct form of the line. */
  TraceLineException with(Grammar grammar, String operation) {
    TraceLineException e =
        new TraceLineException(line, getMessage() + " " + grammar.hint(operation));
    e.initCause(this);
    return e;
  }

  /** The same error with the name of the file. */
  InputException in(Path trace) {
    return new InputException(trace + ":" + line + ": " + getMessage(), this);
  }
}
