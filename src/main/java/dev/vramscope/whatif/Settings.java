package dev.vramscope.whatif;

import java.util.ArrayList;
import java.util.List;

/** Text in the syntax of {@code PYTORCH_CUDA_ALLOC_CONF}: {@code key:value,key:[a:b,c:d]}. */
public final class Settings {
  private static final String MEMORY_FRACTION = "per_process_memory_fraction";

  private Settings() {}

  /** The entries, as they are written. */
  static List<String> entries(String settings) {
    List<String> entries = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < settings.length(); i++) {
      char next = settings.charAt(i);
      depth += next == '[' ? 1 : next == ']' ? -1 : 0;
      if (next == ',' && depth <= 0) {
        entries.add(settings.substring(from, i));
        from = i + 1;
      }
    }
    entries.add(settings.substring(from));
    return entries.stream().filter(entry -> !entry.isBlank()).toList();
  }

  /** The key of an entry. */
  static String key(String entry) {
    int colon = entry.indexOf(':');
    return (colon < 0 ? entry : entry.substring(0, colon)).strip();
  }

  /** Whether a key is set to True; the last entry of a key counts. */
  public static boolean isTrue(String settings, String key) {
    return entries(settings).stream()
        .filter(entry -> key(entry).equals(key))
        .reduce((_, later) -> later)
        .filter(entry -> entry.substring(entry.indexOf(':') + 1).strip().equals("True"))
        .isPresent();
  }

  /** The settings without a limit of the memory that the allocator may hold. */
  public static String withoutLimit(String settings) {
    return String.join(
        ",",
        entries(settings).stream().filter(entry -> !key(entry).equals(MEMORY_FRACTION)).toList());
  }

  /** The settings with other entries in addition; an entry of the same key is replaced. */
  public static String with(String settings, String added) {
    List<String> keys = entries(added).stream().map(Settings::key).toList();
    List<String> all = new ArrayList<>();
    for (String entry : entries(settings)) {
      if (!keys.contains(key(entry))) {
        all.add(entry);
      }
    }
    all.addAll(entries(added));
    return String.join(",", all);
  }
}
