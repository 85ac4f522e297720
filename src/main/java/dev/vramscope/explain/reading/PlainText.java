package dev.vramscope.explain.reading;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Text without what terminals, web pages and chat windows add to it: colours, emphasis, entities.
 */
final class PlainText {
  private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-9;]{0,20}[A-Za-z]");

  /** What web pages write for characters; the ampersand is the last. */
  private static final Map<String, String> ENTITIES = entities();

  /** At the beginning or the end of words; {@code 2**31} is a power. */
  private static final Pattern EMPHASIS =
      Pattern.compile("(?<![\\w)\\]])\\*\\*|\\*\\*(?![\\w(\\[])");

  /** What mail programs put before the lines of others. */
  private static final Pattern QUOTES = Pattern.compile("(?m)^(?:> ?){1,9}");

  /** Fewer lines begin so by chance, as those of debuggers do. */
  private static final int LEAST_QUOTED = 5;

  private PlainText() {}

  private static Map<String, String> entities() {
    Map<String, String> entities = new LinkedHashMap<>();
    entities.put("&quot;", "\"");
    entities.put("&#34;", "\"");
    entities.put("&#39;", "'");
    entities.put("&apos;", "'");
    entities.put("&#x27;", "'");
    entities.put("&lt;", "<");
    entities.put("&gt;", ">");
    entities.put("&nbsp;", " ");
    entities.put("&amp;", "&");
    return entities;
  }

  /** The same text if it has none of these. */
  static String of(String text) {
    String plain = text;
    if (plain.contains("\r\n")) {
      plain = plain.replace("\r\n", "\n");
    }
    if (plain.indexOf('\u001b') >= 0) {
      plain = COLOURS.matcher(plain).replaceAll("");
    }
    if (plain.contains("**")) {
      plain = EMPHASIS.matcher(plain).replaceAll("");
    }
    if (plain.indexOf('&') >= 0) {
      for (Map.Entry<String, String> entity : ENTITIES.entrySet()) {
        plain = plain.replace(entity.getKey(), entity.getValue());
      }
    }
    return isMail(plain) ? QUOTES.matcher(plain).replaceAll("") : plain;
  }

  private static boolean isMail(String text) {
    int count = text.startsWith(">") ? 1 : 0;
    for (int at = text.indexOf("\n>");
        at >= 0 && count < LEAST_QUOTED;
        at = text.indexOf("\n>", at + 1)) {
      count++;
    }
    return count >= LEAST_QUOTED;
  }
}
