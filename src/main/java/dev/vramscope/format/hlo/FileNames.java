package dev.vramscope.format.hlo;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the name of a file of {@code --xla_dump_to} says. */
final class FileNames {
  private static final Pattern SEPARATOR = Pattern.compile("==> (.{1,1000}) <==");

  private static final Pattern OF_MODULE =
      Pattern.compile(
          "(module_\\d+\\.(?:.*?))\\.(?:[^.]+\\.)*?([A-Za-z_]*?)_?after_optimizations(?:[-.].*)?");

  private FileNames() {}

  /** The name in a line between files; null if it is none. */
  static @Nullable String separated(String line) {
    if (!line.startsWith("==> ")) {
      return null;
    }
    Matcher matcher = SEPARATOR.matcher(line);
    return matcher.matches() ? matcher.group(1) : null;
  }

  private static String base(String file) {
    return file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  }

  /** The module of a file, such as {@code module_0150.jit_step}; empty if its name has none. */
  static String module(String file) {
    Matcher matcher = OF_MODULE.matcher(base(file));
    return matcher.matches() ? matcher.group(1) : "";
  }

  /** The platform that a program was compiled for, such as {@code cpu}; may be empty. */
  static String platform(String file) {
    Matcher matcher = OF_MODULE.matcher(base(file));
    return matcher.matches() ? matcher.group(2) : "";
  }

  /** Whether a file of a folder of {@code --xla_dump_to} is worth reading. */
  static boolean isUseful(String file) {
    String name = base(file).toLowerCase(Locale.ROOT);
    boolean isText = name.endsWith(".txt") || name.endsWith(".log") || name.endsWith(".out");
    return isText
        && !name.contains("before_optimizations")
        && !name.endsWith("thunk_sequence.txt")
        && !name.endsWith("-buffer-assignment-values.txt");
  }
}
