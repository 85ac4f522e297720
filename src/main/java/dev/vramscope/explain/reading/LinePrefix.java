package dev.vramscope.explain.reading;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a program that shows the output of several others writes before each line: the name of a
 * container (Docker Compose, kubectl), of a host (pdsh), or the number of a task (srun). Names of
 * levels, times and places in code are no such prefix, and most lines have to have it.
 */
final class LinePrefix {
  /** So many lines show it. */
  private static final int SAMPLE = 400;

  private static final int LEAST_LINES = 5;
  private static final double LEAST_PART = 0.6;

  /** On average a name has so many lines; the first words of ordinary lines differ. */
  private static final int LINES_OF_NAME = 4;

  private static final List<Pattern> FORMS =
      List.of(
          Pattern.compile(
              "\\[((?=[^\\]]{0,99}[a-z])(?=[^\\]]{0,99}[0-9/-])(?!rank|default)"
                  + "[A-Za-z][A-Za-z0-9._@/-]{1,99})\\] ?"),
          Pattern.compile(
              "(?!(?i:trace|debug|info|notice|warn|warning|error|critical|fatal|success) )"
                  + "([A-Za-z][A-Za-z0-9._/-]{1,99}) {1,40}\\| ?"),
          Pattern.compile("([a-z][A-Za-z0-9.-]{0,80}[0-9][A-Za-z0-9.-]{0,20}): "),
          Pattern.compile(" {0,4}([0-9]{1,4}): "));

  private final Pattern form;

  /** The only name in the sample; empty if there are several. */
  private final String onlyName;

  private LinePrefix(Pattern form, String onlyName) {
    this.form = form;
    this.onlyName = onlyName;
  }

  /** That of most lines of a text. */
  static Optional<LinePrefix> of(String text) {
    List<String> lines = text.lines().filter(line -> !line.isBlank()).limit(SAMPLE).toList();
    return lines.size() < LEAST_LINES
        ? Optional.empty()
        : FORMS.stream().flatMap(form -> of(form, lines).stream()).findFirst();
  }

  private static Optional<LinePrefix> of(Pattern form, List<String> lines) {
    Set<String> names = new HashSet<>();
    int count = 0;
    for (String line : lines) {
      Matcher prefix = form.matcher(line);
      if (prefix.lookingAt()) {
        names.add(prefix.group(1).toLowerCase(Locale.ROOT));
        count++;
      }
    }
    boolean isPrefix = count >= LEAST_PART * lines.size() && names.size() * LINES_OF_NAME <= count;
    return isPrefix
        ? Optional.of(new LinePrefix(form, names.size() == 1 ? names.iterator().next() : ""))
        : Optional.empty();
  }

  /** The name before a line, and what follows it. */
  Optional<Named> name(String line) {
    Matcher prefix = form.matcher(line);
    return prefix.lookingAt()
        ? Optional.of(new Named(prefix.group(1), line.substring(prefix.end())))
        : Optional.empty();
  }

  /**
   * A line of one of the programs.
   *
   * @param name as it is written
   * @param line what the program wrote
   */
  record Named(String name, String line) {}

  /** The text without a prefix that names one program only, and so tells nothing. */
  static String withoutOnly(String text) {
    Optional<LinePrefix> prefix = of(text).filter(each -> !each.onlyName.isEmpty());
    if (prefix.isEmpty()) {
      return text;
    }
    StringBuilder without = new StringBuilder(text.length());
    int start = 0;
    while (start < text.length()) {
      int end = text.indexOf('\n', start);
      int next = end < 0 ? text.length() : end + 1;
      String line = text.substring(start, next);
      without.append(
          prefix
              .get()
              .name(line)
              .filter(named -> named.name().equalsIgnoreCase(prefix.get().onlyName))
              .map(Named::line)
              .orElse(line));
      start = next;
    }
    return without.toString();
  }
}
