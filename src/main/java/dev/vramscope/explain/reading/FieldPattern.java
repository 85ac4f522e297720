package dev.vramscope.explain.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pattern of a field, and the words without which it does not match. Most messages have few of
 * the fields of their form, and message a fixed word is an order of magnitude faster.
 */
final class FieldPattern {
  /** Shorter words are in every message. */
  private static final int LEAST = 4;

  private final Pattern pattern;

  /** Every match has one of them; empty if none is known. */
  private final List<String> words;

  FieldPattern(String regex) {
    pattern = Pattern.compile(regex);
    words = words(regex);
  }

  /** A matcher of a part of a text, whose end is exclusive. */
  Matcher matcher(String text, int from, int to) {
    boolean mayMatch =
        words.isEmpty() || words.stream().anyMatch(each -> has(text, each, from, to));
    return pattern.matcher(text).region(from, mayMatch ? to : from);
  }

  private static boolean has(String text, String word, int from, int to) {
    return text.indexOf(word, from, to) >= 0;
  }

  /** The longest fixed word of each alternative; none if one has no such word. */
  static List<String> words(String regex) {
    List<String> words = new ArrayList<>();
    String longest = "";
    int start = 0;
    for (int at = 0; at <= regex.length(); at++) {
      char each = at < regex.length() ? regex.charAt(at) : '|';
      if (isFixed(each)) {
        continue;
      }
      // What is repeated may be missing.
      int end = "?*{".indexOf(each) >= 0 ? Math.max(start, at - 1) : at;
      longest = end - start > longest.length() ? regex.substring(start, end) : longest;
      if (each == '|') {
        words.add(longest);
        longest = "";
      } else {
        at = skip(regex, at);
      }
      start = at + 1;
    }
    return words.stream().allMatch(word -> word.length() >= LEAST) ? words : List.of();
  }

  private static boolean isFixed(char each) {
    return Character.isLetterOrDigit(each) || " _:,;=>%'\"/-<".indexOf(each) >= 0;
  }

  /** The last character of the group, class, escape or count that begins here. */
  private static int skip(String regex, int from) {
    return switch (regex.charAt(from)) {
      case '\\' -> from + 1;
      case '[' -> skipTo(']', regex, from + 2);
      case '{' -> skipTo('}', regex, from + 1);
      case '(' -> skipTo(')', regex, from + 1);
      default -> from;
    };
  }

  private static int skipTo(char end, String regex, int from) {
    int at = from;
    while (regex.charAt(at) != end) {
      at = (end == ')' || regex.charAt(at) == '\\' ? skip(regex, at) : at) + 1;
    }
    return at;
  }
}
