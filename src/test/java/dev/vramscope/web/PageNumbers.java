package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the numbers in the HTML of a page. */
final class PageNumbers {
  private static final Pattern BYTES = Pattern.compile("<data[^>]*\\bvalue=\"(-?[0-9]+)\"[^>]*>");

  private PageNumbers() {}

  static @Nullable String between(String text, String start, String end) {
    int from = text.indexOf(start);
    int to = from < 0 ? -1 : text.indexOf(end, from);
    return to < 0 ? null : text.substring(from + start.length(), to);
  }

  /** All byte counts in a piece of a page. */
  static List<Long> bytes(@Nullable String html) {
    List<Long> found = new ArrayList<>();
    for (Matcher each = BYTES.matcher(String.valueOf(html)); each.find(); ) {
      found.add(Long.parseLong(each.group(1)));
    }
    return found;
  }

  static long first(String html) {
    return bytes(html).getFirst();
  }

  /** The value by which a cell of the list is sorted. */
  static long cell(String row, String label) {
    Matcher cell =
        Pattern.compile("data-label=\"" + label + "\"[^>]*data-value=\"([0-9]+)\"").matcher(row);
    assertThat(cell.find()).as(label + " in " + row).isTrue();
    return Long.parseLong(cell.group(1));
  }
}
