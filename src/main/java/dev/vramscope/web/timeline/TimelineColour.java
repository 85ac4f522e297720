package dev.vramscope.web.timeline;

import dev.vramscope.inspection.AllocationColour;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The parameter that chooses what the colour of an allocation on the timeline means. */
final class TimelineColour {
  /** The value for colours by site, which need no groups. */
  static final String SITE = "site";

  private TimelineColour() {}

  /** Any other value. */
  static AllocationColour of(String id) {
    return Arrays.stream(AllocationColour.values())
        .filter(colour -> id(colour).equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                RefusedRequestException.badParameter(
                    "colour",
                    id,
                    SITE
                        + ", "
                        + Arrays.stream(AllocationColour.values())
                            .map(TimelineColour::id)
                            .collect(Collectors.joining(", "))));
  }

  private static String id(AllocationColour colour) {
    return colour.name().toLowerCase(Locale.ROOT);
  }
}
