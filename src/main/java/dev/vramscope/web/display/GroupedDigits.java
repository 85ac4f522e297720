package dev.vramscope.web.display;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.converter.Converter;
import org.springframework.util.NumberUtils;

/**
 * Reads numbers as the pages print them, {@code 987,715}, for whoever copies one into a field or a
 * URL. {@code model/view-parameters.ts} reads the same.
 */
public final class GroupedDigits implements Converter<String, @Nullable Integer> {
  private static final Pattern GROUPED = Pattern.compile("(?<!\\d)\\d{1,3}(?:,\\d{3})+(?!\\d)");

  /** The text with the commas between groups of three digits left out. */
  public static String ungrouped(String text) {
    return GROUPED.matcher(text).replaceAll(number -> number.group().replace(",", ""));
  }

  /** An {@code Integer} parameter of a request; null if it is blank. */
  @Override
  @SuppressWarnings("NullAway") // does not see the nullable type argument
  public @Nullable Integer convert(String text) {
    return text.isBlank() ? null : NumberUtils.parseNumber(ungrouped(text), Integer.class);
  }
}
