package dev.vramscope.web.display;

import dev.vramscope.store.listing.StoredSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Shortens the names of a list so that the part that distinguishes them remains: names of one job
 * often differ only in a rank or step after a long common prefix.
 */
public final class ShortNames {
  private static final int HEAD = 12;
  private static final String SEPARATORS = "-_. /:=";

  private final Map<String, String> shortened;

  private ShortNames(Map<String, String> shortened) {
    this.shortened = shortened;
  }

  /** The names of the snapshots, each with at most {@code length} characters. */
  public static ShortNames ofSnapshots(List<StoredSnapshot> snapshots, int length) {
    return of(snapshots.stream().map(StoredSnapshot::name).toList(), length);
  }

  static ShortNames of(List<String> names, int length) {
    Map<String, String> shortened = new HashMap<>();
    List<String> distinct = names.stream().distinct().toList();
    Map<String, List<String>> families =
        distinct.stream()
            .filter(name -> name.length() > length)
            .collect(Collectors.groupingBy(name -> name.substring(0, HEAD)));
    families.values().forEach(family -> shorten(family, length, shortened));
    return new ShortNames(shortened);
  }

  /** The short form of a name of the list; the name itself if it was not too long. */
  public String of(String name) {
    return shortened.getOrDefault(name, name);
  }

  /** Cuts the common prefix out of the names, and then out of those that are still the same. */
  private static void shorten(List<String> family, int length, Map<String, String> shortened) {
    int common = family.size() == 1 ? 0 : commonPrefix(family);
    for (String name : family) {
      shortened.put(name, shorten(name, common, length));
    }
    Map<String, List<String>> same =
        family.stream().collect(Collectors.groupingBy(name -> shortened.getOrDefault(name, name)));
    same.values().stream()
        .filter(names -> names.size() > 1 && names.size() < family.size())
        .forEach(names -> shorten(names, length, shortened));
  }

  /** Keeps the first characters and, from the token with {@code position} on, both ends. */
  private static String shorten(String name, int position, int length) {
    int start = tokenStart(name, position);
    if (start <= HEAD + 1) {
      return elided(name, length);
    }
    int window = length - HEAD - 1;
    if (start > name.length() - window) {
      start = nextTokenStart(name, name.length() - window, start);
    }
    return name.substring(0, HEAD) + DisplayFormat.ELLIPSIS + elided(name.substring(start), window);
  }

  /** Keeps as much of the end as of the start: ranks and steps are often at the end. */
  private static String elided(String text, int length) {
    return DisplayFormat.elided(text, length, length / 2);
  }

  /** The start of the token that contains {@code position}, with a short token before it. */
  private static int tokenStart(String name, int position) {
    int start = separatorBefore(name, Math.min(position, name.length() - 1)) + 1;
    int previous = start == 0 ? 0 : separatorBefore(name, start - 1) + 1;
    return start - previous <= HEAD ? previous : start;
  }

  private static int separatorBefore(String name, int position) {
    int at = position - 1;
    while (at >= 0 && SEPARATORS.indexOf(name.charAt(at)) < 0) {
      at--;
    }
    return at;
  }

  /** The first start of a token from {@code from} on, at most {@code limit}. */
  private static int nextTokenStart(String name, int from, int limit) {
    int start = from;
    while (start < limit && SEPARATORS.indexOf(name.charAt(start - 1)) < 0) {
      start++;
    }
    return start;
  }

  private static int commonPrefix(List<String> names) {
    String first = names.getFirst();
    int common = first.length();
    for (String name : names) {
      common = Math.min(common, name.length());
      while (!name.startsWith(first.substring(0, common))) {
        common--;
      }
    }
    return common;
  }
}
