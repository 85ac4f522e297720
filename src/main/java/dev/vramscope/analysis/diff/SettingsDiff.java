package dev.vramscope.analysis.diff;

import dev.vramscope.model.AllocatorSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The recorded settings of two allocators.
 *
 * @param rows the settings that differ, by name
 * @param equalCount number of settings with the same value in both
 * @param isBeforeRecorded whether the first snapshot contains settings; if not, they are unknown
 * @param isAfterRecorded the same of the second snapshot
 */
public record SettingsDiff(
    List<Row> rows, int equalCount, boolean isBeforeRecorded, boolean isAfterRecorded) {
  public SettingsDiff {
    rows = List.copyOf(rows);
  }

  /** A setting that differs; null where it is not recorded. */
  public record Row(String name, @Nullable String before, @Nullable String after) {}

  public static SettingsDiff of(
      Optional<AllocatorSettings> before, Optional<AllocatorSettings> after) {
    Map<String, String> first = before.map(AllocatorSettings::values).orElse(Map.of());
    Map<String, String> second = after.map(AllocatorSettings::values).orElse(Map.of());
    TreeSet<String> names = new TreeSet<>(first.keySet());
    names.addAll(second.keySet());
    List<Row> rows = new ArrayList<>();
    for (String name : names) {
      String value = first.get(name);
      if (value == null || !value.equals(second.get(name))) {
        rows.add(new Row(name, value, second.get(name)));
      }
    }
    return new SettingsDiff(
        rows, names.size() - rows.size(), before.isPresent(), after.isPresent());
  }

  /** Whether both snapshots contain settings, so that they can be compared. */
  public boolean isKnown() {
    return isBeforeRecorded && isAfterRecorded;
  }
}
