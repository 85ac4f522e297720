package dev.vramscope.postmortem;

import java.util.ArrayList;
import java.util.List;

/** A {@code PYTORCH_CUDA_ALLOC_CONF} as a list of keys and values. */
final class SettingsLine {
  private SettingsLine() {}

  /**
   * A line with one more setting, which replaces an earlier value of its key.
   *
   * @param line the line so far; may be empty
   * @param setting a key, a colon and a value
   */
  static String with(String line, String setting) {
    String key = key(setting);
    List<String> kept = new ArrayList<>();
    for (String each : parts(line)) {
      if (!key(each).equals(key)) {
        kept.add(each);
      }
    }
    kept.add(setting);
    return String.join(",", kept);
  }

  private static String key(String setting) {
    int colon = setting.indexOf(':');
    return (colon < 0 ? setting : setting.substring(0, colon)).strip();
  }

  /** The settings between the commas; those in a list of values are not between settings. */
  private static List<String> parts(String line) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int index = 0; index <= line.length(); index++) {
      boolean isEnd = index == line.length();
      if (isEnd || (line.charAt(index) == ',' && depth == 0)) {
        String part = line.substring(start, index).strip();
        if (!part.isEmpty()) {
          parts.add(part);
        }
        start = index + 1;
      } else if (line.charAt(index) == '[') {
        depth++;
      } else if (line.charAt(index) == ']') {
        depth--;
      }
    }
    return parts;
  }
}
