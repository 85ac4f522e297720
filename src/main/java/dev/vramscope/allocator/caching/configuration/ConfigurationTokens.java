package dev.vramscope.allocator.caching.configuration;

import dev.vramscope.allocator.caching.configuration.ConfigurationException.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The tokens of a settings string: {@code , : [ ]} and the texts between them, without white space.
 *
 * <p>PyTorch's parser checks for separators but ignores the result ({@link #skipSeparator} fails
 * only past the end), so {@code "a:1 b"} is parsed as {@code "a:1b"} and {@code "a:1:2"} as the
 * keys {@code a} and {@code 2}. Which line of PyTorch reports the end of the string depends on the
 * access; users search for these texts, so they are reproduced.
 */
final class ConfigurationTokens {
  private static final String INDEX_OPERATOR = assertion("config_", "AllocatorConfig.h", 55);
  private static final String SKIPPED_LIST = assertion("config_", "AllocatorConfig.h", 116);
  private static final String CHECKED_READ = assertion("config_", "AllocatorConfig.h", 124);
  private static final String DIVISION_LIST = assertion("tokenizer", "AllocatorConfig.cpp", 211);

  private static final String NO_TOKEN = "Index out of bounds in ConfigTokenizer";
  private static final String OPEN_LIST =
      "Expected closing bracket ']' in ConfigTokenizer but reached end of config";

  private final List<String> tokens = new ArrayList<>();

  ConfigurationTokens(String text) {
    StringBuilder token = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ',' || c == ':' || c == '[' || c == ']') {
        endToken(token);
        tokens.add(String.valueOf(c));
      } else if (c != ' ' && (c < '\t' || c > '\r')) {
        token.append(c);
      }
    }
    endToken(token);
  }

  private void endToken(StringBuilder token) {
    if (!token.isEmpty()) {
      tokens.add(token.toString());
      token.setLength(0);
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

  /** Skips a token that should be a separator but may be any. */
  void skipSeparator(int index) {
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

  /** The index of the last token of the value of a key. */
  int skipKey(int index) {
    skipSeparator(index + 1);
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

  /** Requires that a list of divisions ends at this index or before. */
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

  private static ConfigurationException endOfText(String assertion, String message) {
    return new ConfigurationException(Kind.STRUCTURE, assertion + message);
  }

  private static String assertion(String tokens, String file, int line) {
    return "i < "
        + tokens
        + ".size() INTERNAL ASSERT FAILED at \"/__w/pytorch/pytorch/c10/core/"
        + file
        + "\":"
        + line
        + ", please report a bug to PyTorch. ";
  }
}
