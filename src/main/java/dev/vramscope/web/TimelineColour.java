package dev.vramscope.web;

import dev.vramscope.analysis.AllocationGroups;
import dev.vramscope.analysis.StackClasses;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the colour of an allocation on the timeline means, besides its site. */
enum TimelineColour {
  CATEGORY,
  STREAM,
  POOL,
  AGE,
  SIZE;

  /** The value of the parameter for colours by site, which need no groups. */
  static final String SITE = "site";

  static TimelineColour of(String id) {
    return Arrays.stream(values())
        .filter(colour -> colour.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                RefusedRequestException.badParameter(
                    "colour",
                    id,
                    SITE
                        + ", "
                        + Arrays.stream(values())
                            .map(TimelineColour::id)
                            .collect(Collectors.joining(", "))));
  }

  private String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The groups of a device. */
  AllocationGroups groups(LoadedDevice device, StackClasses stacks) {
    return switch (this) {
      case CATEGORY -> AllocationGroups.byCategory(device.lifetimes(), stacks);
      case STREAM -> AllocationGroups.byStream(device.lifetimes());
      case POOL -> AllocationGroups.byPool(device.lifetimes());
      case AGE -> AllocationGroups.byAge(device.lifetimes(), device.device().trace().size());
      case SIZE -> AllocationGroups.bySize(device.lifetimes());
    };
  }
}
