package dev.vramscope.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What follows a verb: options, with or without a value, and one thing to work on.
 *
 * @param options by name; the value of a flag is empty
 */
public record Arguments(Map<String, String> options, String subject) {
  public Arguments {
    options = Map.copyOf(options);
  }

  /**
   * Sorts the words.
   *
   * @param valued options that a value follows
   * @param flags options without
   * @throws UsageException with the usage text, if a word fits nowhere or the subject is missing
   */
  public static Arguments of(
      List<String> words, Set<String> valued, Set<String> flags, String usage) {
    Map<String, String> options = new HashMap<>();
    String subject = null;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (flags.contains(word)) {
        options.put(word, "");
      } else if (valued.contains(word)) {
        if (++i == words.size()) {
          throw new UsageException(word + " needs a value.\n" + usage);
        }
        options.put(word, words.get(i));
      } else if (word.startsWith("--")) {
        throw new UsageException("There is no option " + word + " here.\n" + usage);
      } else if (subject != null) {
        throw new UsageException("'" + word + "' is one argument too many.\n" + usage);
      } else {
        subject = word;
      }
    }
    if (subject == null) {
      throw new UsageException(usage);
    }
    return new Arguments(options, subject);
  }

  public boolean has(String option) {
    return options.containsKey(option);
  }

  /** The value that follows the option, or null. */
  public @Nullable String value(String option) {
    return options.get(option);
  }
}
