package dev.vramscope.analysis.series;

/**
 * What allocations of one place hold.
 *
 * @param count number of allocations
 */
public record PlaceMemory(long bytes, long count) {
  static final PlaceMemory NOTHING = new PlaceMemory(0, 0);

  PlaceMemory plus(PlaceMemory other) {
    return new PlaceMemory(bytes + other.bytes, count + other.count);
  }
}
