package dev.vramscope.analysis.series;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.ActiveSites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is live on a device at the end of a recording, by the place that allocated it.
 *
 * @param name such as {@code cpu:0}
 * @param places the most bytes first
 */
public record LiveMemory(String name, Map<CodePlace, PlaceMemory> places) {
  /** Places beyond these are added up. */
  private static final int MOST_PLACES = 300;

  public LiveMemory {
    places = Collections.unmodifiableMap(new LinkedHashMap<>(places));
  }

  /** The end of a recording. */
  public static LiveMemory of(
      String name, Lifetimes lifetimes, ActiveBytes active, StackClasses stacks) {
    ActiveSites sites =
        ActiveSites.at(lifetimes, stacks, active.eventCount() - 1, Long.MAX_VALUE, MOST_PLACES);
    Map<CodePlace, PlaceMemory> places = new LinkedHashMap<>();
    for (ActiveSites.Group group : sites.groups()) {
      CodePlace place =
          group.site() == StackTable.NONE
              ? CodePlace.UNKNOWN
              : CodePlace.of(stacks.stacks().frame(group.site()));
      places.merge(place, new PlaceMemory(group.bytes(), group.count()), PlaceMemory::plus);
    }
    if (sites.others() != null) {
      places.put(CodePlace.OTHERS, new PlaceMemory(sites.others().bytes(), sites.others().count()));
    }
    return new LiveMemory(name, places);
  }

  public long bytes() {
    return places.values().stream().mapToLong(PlaceMemory::bytes).sum();
  }

  /** Number of allocations. */
  public long count() {
    return places.values().stream().mapToLong(PlaceMemory::count).sum();
  }
}
