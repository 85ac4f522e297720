package dev.vramscope.allocator.caching.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Annotations of other tools, such as a profiler, in a ring buffer like that of the events. */
final class ExternalAnnotations {
  private final RingIndex indexes = new RingIndex(Integer.MAX_VALUE - 8);
  private final List<Map<String, String>> annotations = new ArrayList<>();

  /**
   * Sets the maximum.
   *
   * @param entries unsigned; 0 counts as 1
   */
  void setMaxEntries(long entries) {
    indexes.setMax(entries);
  }

  void add(Map<String, String> annotation) {
    int index = indexes.take();
    if (index == annotations.size()) {
      annotations.add(Map.copyOf(annotation));
    } else {
      annotations.set(index, Map.copyOf(annotation));
    }
  }

  void clear() {
    indexes.clear();
    annotations.clear();
  }

  /** Oldest first. */
  List<Map<String, String>> all() {
    List<Map<String, String>> all = new ArrayList<>(indexes.size());
    for (int i = 0; i < indexes.size(); i++) {
      all.add(annotations.get(indexes.index(i)));
    }
    return List.copyOf(all);
  }
}
