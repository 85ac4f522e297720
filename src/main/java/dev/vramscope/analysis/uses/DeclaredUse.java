package dev.vramscope.analysis.uses;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The use that a program has declared in the metadata of an event: a text such as {@code
 * activation}, {@code category: activation}, or JSON with a member {@code category}.
 */
final class DeclaredUse {
  private static final Pattern CATEGORY =
      Pattern.compile("\"?category\"?\\s*[:=]\\s*\"?([A-Za-z_ -]{1,40})\"?");

  /** A declaration is at the beginning of a text; many events may share one that is very long. */
  private static final int MAX_LENGTH = 1024;

  private DeclaredUse() {}

  /** The declared use, or null if the text declares none. */
  static @Nullable Use of(@Nullable String metadata) {
    if (metadata == null || metadata.isBlank()) {
      return null;
    }
    String beginning = metadata.substring(0, Math.min(MAX_LENGTH, metadata.length()));
    Matcher category = CATEGORY.matcher(beginning);
    return Use.declared(category.find() ? category.group(1) : beginning);
  }
}
