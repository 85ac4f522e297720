package dev.vramscope.web;

import java.util.ArrayList;
import java.util.List;

/** The settings that the what-if page offers, each in addition to the recorded ones. */
final class WhatIfChoices {
  private static final List<String> SPLITS =
      List.of("", "max_split_size_mb:64", "max_split_size_mb:128", "max_split_size_mb:512");
  private static final List<String> ROUNDINGS = List.of("", "roundup_power2_divisions:8");
  private static final List<String> COLLECTIONS = List.of("", "garbage_collection_threshold:0.8");
  private static final List<String> SEGMENTS = List.of("", "large_segment_size_mb:64");

  private WhatIfChoices() {}

  /** Those that help most often, one at a time. */
  static List<String> usual() {
    return List.of(
        "expandable_segments:True",
        "max_split_size_mb:128",
        "max_split_size_mb:512",
        "roundup_power2_divisions:8",
        "garbage_collection_threshold:0.8",
        "large_segment_size_mb:64");
  }

  /** All combinations: 63. */
  static List<String> search() {
    List<String> all = new ArrayList<>();
    for (String expandable : List.of("", "expandable_segments:True")) {
      for (String split : SPLITS) {
        for (String rounding : ROUNDINGS) {
          for (String collection : COLLECTIONS) {
            for (String segment : SEGMENTS) {
              all.add(joined(List.of(expandable, split, rounding, collection, segment)));
            }
          }
        }
      }
    }
    all.remove("");
    return all;
  }

  private static String joined(List<String> entries) {
    return String.join(",", entries.stream().filter(entry -> !entry.isEmpty()).toList());
  }
}
