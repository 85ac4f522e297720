package dev.vramscope.allocator.caching.configuration;

import dev.vramscope.allocator.caching.configuration.ConfigurationException.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The tokens of a settings string: {@code , : [ ]} and what stands between them, without white
 * space.
 *
 * <p>PyTorch's reader asks for separators and then ignores whether they were there ({@link #pass}
 * only fails past the end), so {@code "a:1 b"} reads as {@code "a:1b"} and {@code "a:1:2"} as the
 * keys {@code a} and {@code 2}. Which line of PyTorch reports the end of the string depends on how
 * it looked; people search for these texts, so they are kept.
 */
final class ConfigurationTokens {
  private static final String INDEX_OPERATOR = place("config_", "AllocatorConfig.h", 55);
  private static final String SKIPPED_LIST = place("config_", "AllocatorConfig.h", 116);
  private static final String CHECKED_READ = place("config_", "AllocatorConfig.h", 124);
  private static final String DIVISION_LIST = place("tokenizer", "AllocatorConfig.cpp", 211);

  private static final String NO_TOKEN = "Index out of bounds in ConfigTokenizer";
  private static final String OPEN_LIST =
      "Expected closing bracket ']' in ConfigTokenizer but reached end of config";

  private final List<String> tokens = new ArrayList<>();

  ConfigurationTokens(String text) {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ',' || c == ':' || c == '[' || c == ']') {
        endWord(word);
        tokens.add(String.valueOf(c));
      } else if (c != ' ' && (c < '\t' || c > '\r')) {
        word.append(c);
      }
    }
    endWord(word);
  }

  private void endWord(StringBuilder word) {
    if (!word.isEmpty()) {
      tokens.add(word.toString());
      word.setLength(0);
    }
  }

  int size() {
    return tokens.size();
  }

  String get(int index) {
    if (index >= tokens.size()) {
      throw endOfText(INDEX_OPERATOR, NO_TOKEN);
    }
    return tokens.get(index);
  }

  /** Steps over a separator, whatever it is. */
  void pass(int index) {
    checked(index);
  }

  boolean isTrue(int index) {
    String token = checked(index);
    return switch (token) {
      case "True" -> true;
      case "False" -> false;
      default ->
          throw ConfigurationException.value(
              "Expected 'True' or 'False' at index "
                  + index
                  + " in ConfigTokenizer but got '"
                  + token
                  + "'");
    };
  }

  /** An unsigned 64-bit number. */
  long unsigned(int index) {
    return NumberPrefix.unsigned(checked(index));
  }

  double real(int index) {
    return NumberPrefix.real(checked(index));
  }

  /** From a key to the last token of its value. */
  int skipKey(int index) {
    pass(index + 1);
    int i = index + 2;
    if (!checked(i).equals("[")) {
      return i;
    }
    do {
      i++;
    } while (i < tokens.size() && !tokens.get(i).equals("]"));
    if (i >= tokens.size()) {
      throw endOfText(SKIPPED_LIST, OPEN_LIST);
    }
    return i;
  }

  /** A list of divisions that was begun must have been ended at this index. */
  void requireDivisionListEnd(int index) {
    if (index >= tokens.size()) {
      throw endOfText(DIVISION_LIST, OPEN_LIST);
    }
  }

  private String checked(int index) {
    if (index >= tokens.size()) {
      throw endOfText(CHECKED_READ, NO_TOKEN);
    }
    return tokens.get(index);
  }

  private static ConfigurationException endOfText(String place, String what) {
    return new ConfigurationException(Kind.STRUCTURE, place + what);
  }

  private static String place(String tokens, String file, int line) {
    return "i < "
        + tokens
        + ".size() INTERNAL ASSERT FAILED at \"/__w/pytorch/pytorch/c10/core/"
        + file
        + "\":"
        + line
        + ", please report a bug to PyTorch. ";
  }
}
