package dev.vramscope.live.feed;

import dev.vramscope.recorder.Recorder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The allocation sites of a program, numbered in the order in which a feed encounters them. Frames
 * refer to them by number and contain new names once. Site 0 is the unknown site. Not thread-safe.
 */
final class SiteTable {
  static final int UNKNOWN = 0;

  /** More than a page can distinguish; later sites are reported as unknown. */
  private static final int MAX_SITES = 16_384;

  private record Named(long version, String name) {}

  private final Recorder recorder;
  private final List<Named> named = new ArrayList<>();
  private final Map<Integer, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> numberOfName = new HashMap<>();

  SiteTable(Recorder recorder) {
    this.recorder = recorder;
    named.add(new Named(0, ""));
  }

  /** The number of the site of a context. */
  int of(int context, long version) {
    if (context == Recorder.NO_CONTEXT) {
      return UNKNOWN;
    }
    Integer existingNumber = numbers.get(context);
    if (existingNumber != null) {
      return existingNumber;
    }
    if (numbers.size() >= MAX_SITES) {
      return UNKNOWN;
    }
    int number = numberOfName.computeIfAbsent(recorder.label(context), name -> add(version, name));
    numbers.put(context, number);
    return number;
  }

  private int add(long version, String name) {
    named.add(new Named(version, name));
    return named.size() - 1;
  }

  /** The number of the first site after a version. */
  int firstSince(long version) {
    int first = named.size();
    while (first > 1 && named.get(first - 1).version > version) {
      first--;
    }
    return first;
  }

  List<String> namesFrom(int first) {
    return named.subList(first, named.size()).stream().map(Named::name).toList();
  }
}
