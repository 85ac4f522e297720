package dev.vramscope.allocator.caching.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What somebody else, such as a profiler, has to say; bounded as the events are. */
final class ExternalAnnotations {
  private final RingIndex places = new RingIndex(Integer.MAX_VALUE - 8);
  private final List<Map<String, String>> annotations = new ArrayList<>();

  /**
   * Sets the bound.
   *
   * @param entries unsigned, at least 1 is taken
   */
  void setMaxEntries(long entries) {
    places.setBound(entries);
  }

  void add(Map<String, String> annotation) {
    int place = places.take();
    if (place == annotations.size()) {
      annotations.add(Map.copyOf(annotation));
    } else {
      annotations.set(place, Map.copyOf(annotation));
    }
  }

  void clear() {
    places.clear();
    annotations.clear();
  }

  /** Oldest first. */
  List<Map<String, String>> all() {
    List<Map<String, String>> all = new ArrayList<>(places.size());
    for (int i = 0; i < places.size(); i++) {
      all.add(annotations.get(places.place(i)));
    }
    return List.copyOf(all);
  }
}
