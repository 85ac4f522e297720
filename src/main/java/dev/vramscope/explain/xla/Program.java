package dev.vramscope.explain.xla;

import dev.vramscope.explain.producer.LogContext;
import java.util.regex.Pattern;

/** The program whose log has messages of XLA's allocator; its settings are its own. */
enum Program {
  JAX,
  TENSORFLOW;

  /** The files of TensorFlow's own builds; JAX builds the same sources below other folders. */
  private static final Pattern TENSORFLOW_FILE =
      Pattern.compile(
          "(?<!org_tensorflow/)\\btensorflow/(?:core|tsl|compiler|stream_executor)/"
              + "|external/local_(?:tsl|xla)/|OOM when allocating tensor");

  /** The program that wrote a text; that of JAX if it does not show. */
  static Program of(LogContext log) {
    return log.has(TENSORFLOW_FILE) ? TENSORFLOW : JAX;
  }
}
