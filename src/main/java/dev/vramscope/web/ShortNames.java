package dev.vramscope.web;

import dev.vramscope.store.StoredSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Shortens the names of a list so that the part that distinguishes them remains: names of one job
 * often differ only in a rank or step after a long common prefix.
 */
public final class ShortNames {
  private static final char GAP = '…';
  private static final int HEAD = 12;
  private static final String SEPARATORS = "-_. /:=";

  private final Map<String, String> shortened;

  private ShortNames(Map<String, String> shortened) {
    this.shortened = shortened;
  }

  /** The names of the snapshots, each with at most {@code length} characters. */
  static ShortNames ofSnapshots(List<StoredSnapshot> snapshots, int length) {
    return of(snapshots.stream().map(StoredSnapshot::name).toList(), length);
  }

  static ShortNames of(List<String> names, int length) {
    List<String> sorted = new ArrayList<>(names.stream().distinct().sorted().toList());
    Map<String, String> shortened = new HashMap<>();
    for (int i = 0; i < sorted.size(); i++) {
      // The neighbours in sorted order have the longest prefixes in common with a name.
      int common =
          Math.max(
              i == 0 ? 0 : commonPrefix(sorted.get(i), sorted.get(i - 1)),
              i == sorted.size() - 1 ? 0 : commonPrefix(sorted.get(i), sorted.get(i + 1)));
      shortened.put(sorted.get(i), shorten(sorted.get(i), common, length));
    }
    return new ShortNames(shortened);
  }

  /** The short form of a name of the list; the name itself if it is not in the list. */
  public String of(String name) {
    return shortened.getOrDefault(name, name);
  }

  /** Cuts a gap after the first characters, and a second one at the end if that is not enough. */
  private static String shorten(String name, int common, int length) {
    if (name.length() <= length) {
      return name;
    }
    int window = length - HEAD - 1;
    int start = tokenStart(name, common);
    if (start > name.length() - window) {
      start = nextTokenStart(name, name.length() - window, start);
    }
    if (start <= HEAD + 1) {
      int tail = length / 3;
      return name.substring(0, length - tail - 1) + GAP + name.substring(name.length() - tail);
    }
    boolean reachesEnd = start + window >= name.length();
    String rest =
        reachesEnd ? name.substring(start) : name.substring(start, start + window - 1) + GAP;
    return name.substring(0, HEAD) + GAP + rest;
  }

  /** The start of the token before the one that contains {@code position}: rank-|0003|-… */
  private static int tokenStart(String name, int position) {
    int start = Math.min(position, name.length() - 1);
    for (int separators = 0; start > 0; start--) {
      if (SEPARATORS.indexOf(name.charAt(start - 1)) >= 0 && ++separators == 2) {
        break;
      }
    }
    return start;
  }

  /** The first start of a token from {@code from} on, at most {@code limit}. */
  private static int nextTokenStart(String name, int from, int limit) {
    int start = from;
    while (start < limit && SEPARATORS.indexOf(name.charAt(start - 1)) < 0) {
      start++;
    }
    return start;
  }

  private static int commonPrefix(String a, String b) {
    int length = Math.min(a.length(), b.length());
    int common = 0;
    while (common < length && a.charAt(common) == b.charAt(common)) {
      common++;
    }
    return common;
  }
}
