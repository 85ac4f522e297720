package dev.vramscope.explain;

import dev.vramscope.analysis.Lazy;
import java.util.regex.Pattern;

/**
 * What the lines around the messages of a log say.
 *
 * @param program whose settings apply to XLA's allocator
 * @param isCapturing whether the log mentions the capture of a CUDA graph that failed
 * @param tracebacks of Python, read when a message needs them
 */
record LogContext(Program program, boolean isCapturing, Lazy<Tracebacks> tracebacks) {
  private static final Pattern CAPTURE =
      Pattern.compile(
          "(?i)captur(?:e|ing) (?:a |the )?cuda ?graphs?|captur(?:e|ing) graphs?\\b"
              + "|during (?:graph |cuda graph )?capture|in capture_model|capture_begin");

  static LogContext of(String text) {
    return new LogContext(
        Program.of(text), CAPTURE.matcher(text).find(), new Lazy<>(() -> Tracebacks.of(text)));
  }
}
