package dev.vramscope.explain.reading;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The places of the messages of one form, one after the other, in the order of the text. */
final class FormPlaces {
  private final MessageForm form;
  private final Candidates candidates;
  private final Matcher start;
  private final Matcher part;
  private boolean isStart;
  private boolean isPart;

  /** The message to which the next part may belong. */
  private @Nullable FormPlace open;

  /**
   * The places in a text.
   *
   * @param present the words of all forms that it has
   */
  FormPlaces(MessageForm form, String text, Set<String> present) {
    this.form = form;
    candidates = new Candidates(text, form.anchors(), present);
    start = matcher(form.start(), text);
    part = matcher(form.part(), text);
  }

  /** A matcher of regions that looks at the characters around them. */
  private static Matcher matcher(Pattern pattern, String text) {
    return pattern.matcher(text).useTransparentBounds(true).useAnchoringBounds(false);
  }

  /** The next place, with all of its parts, or null. */
  @Nullable FormPlace next() {
    while (isStart || isPart || enterRegion()) {
      FormPlace place = null;
      if (isStart && (!isPart || start.start() <= part.start())) {
        place = new FormPlace(form, start.start(), start.end());
        isStart = start.find();
      } else if (isPart) {
        boolean isOfOpen = open != null && open.add(part.start(), part.end());
        place = isOfOpen ? null : new FormPlace(form, part.start(), part.end());
        isPart = part.find();
      }
      if (place != null) {
        FormPlace whole = open;
        open = place;
        if (whole != null) {
          return whole;
        }
      }
    }
    FormPlace whole = open;
    open = null;
    return whole;
  }

  /** Looks for a message in the next part of the text; false at the end. */
  private boolean enterRegion() {
    Optional<Candidates.Region> region = candidates.next();
    if (region.isEmpty()) {
      return false;
    }
    start.region(region.get().from(), region.get().to());
    part.region(region.get().from(), region.get().to());
    isStart = start.find();
    isPart = part.find();
    return true;
  }
}
