package dev.vramscope.explain.producer;

import dev.vramscope.analysis.Lazy;
import dev.vramscope.explain.findings.LogMessage;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a log says around its messages. Read when a conclusion needs it. */
public final class LogContext {
  private static final Pattern CAPTURE =
      Pattern.compile(
          "(?i)captur(?:e|ing) (?:a |the )?cuda ?graphs?|captur(?:e|ing) graphs?\\b"
              + "|during (?:graph |cuda graph )?capture|in capture_model|capture_begin");

  private final String text;
  private final Facts reports;
  private final Lazy<Tracebacks> tracebacks;

  /**
   * The context of the messages of a text.
   *
   * @param reports what its programs say of themselves
   */
  public LogContext(String text, List<LogMessage> reports) {
    this.text = text;
    this.reports = new Facts(reports);
    tracebacks = new Lazy<>(() -> Tracebacks.of(text));
  }

  /** The whole text. */
  public String text() {
    return text;
  }

  /** What the programs of the log say of themselves: what they have, need and have set. */
  public Facts reports() {
    return reports;
  }

  /** Whether the log mentions the capture of a CUDA graph that failed. */
  public boolean isCapturing() {
    return has(CAPTURE);
  }

  /** Whether a pattern is somewhere in the text. */
  public boolean has(Pattern pattern) {
    return pattern.matcher(text).find();
  }

  /** The code that led to the message at a line, if its traceback stands above it. */
  public Optional<FailingCode> codeBefore(int line) {
    return tracebacks.get().before(line);
  }
}
