package dev.vramscope.explain;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The last exception in a text that is not about memory. */
final class OtherError {
  /** An exception as Python, Java and JavaScript print it, at the start of a line. */
  private static final Pattern EXCEPTION =
      Pattern.compile(
          "(?m)^[ \\t]{0,20}((?:[A-Za-z_][A-Za-z0-9_]{0,60}\\.){0,8}[A-Za-z_][A-Za-z0-9_]{0,60}"
              + "(?:Error|Exception|Interrupt)): ?([^\\r\\n]{0,200})");

  private OtherError() {}

  static Optional<String> find(String text) {
    Matcher matcher = EXCEPTION.matcher(text);
    String exception = null;
    while (matcher.find()) {
      exception = matcher.group(1) + ": " + matcher.group(2);
    }
    return Optional.ofNullable(exception);
  }
}
