package dev.vramscope.web.request;

import dev.vramscope.model.VisibleText;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the name and tags that a client gives a snapshot, so that lists of them stay small, and
 * each is shown as it is: {@link VisibleText#isUnsafe} characters would change the text around it.
 */
public final class MetadataLimits {
  public static final int MAX_NAME = 300;
  private static final int MAX_TAG = 100;
  private static final int MAX_LABELS = 20;

  private MetadataLimits() {}

  /**
   * Returns the name.
   *
   * @throws RefusedRequestException if it is too long, or has a character that cannot be displayed
   */
  public static String checked(String name) {
    require("name", name, MAX_NAME);
    return name;
  }

  /**
   * Returns the tags.
   *
   * @throws RefusedRequestException if one is too long, or has a character that cannot be
   *     displayed, or if there are too many labels
   */
  public static Tags checked(Tags tags) {
    require("job", tags.job(), MAX_TAG);
    require("rank", tags.rank(), MAX_TAG);
    require("host", tags.host(), MAX_TAG);
    List<String> labels = tags.labels();
    if (labels.size() > MAX_LABELS) {
      throw RefusedRequestException.badParameter(
          "labels", "a list of " + labels.size(), "at most " + MAX_LABELS + " labels");
    }
    labels.forEach(label -> require("labels", label, MAX_TAG));
    return tags;
  }

  private static void require(String parameter, @Nullable String text, int maxLength) {
    if (text == null) {
      return;
    }
    OptionalInt unsafe = text.codePoints().filter(VisibleText::isUnsafe).findFirst();
    if (text.length() > maxLength || unsafe.isPresent()) {
      throw RefusedRequestException.badParameter(
          parameter,
          unsafe.isPresent()
              ? String.format(Locale.ROOT, "a text with the character U+%04X", unsafe.getAsInt())
              : text.length() + " characters long",
          "at most "
              + maxLength
              + " characters, without control characters and characters that change the text"
              + " direction");
    }
  }
}
