package dev.vramscope.web.series;

import dev.vramscope.analysis.series.PlaceSeries;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A line of code over a series, in the table and in JSON.
 *
 * @param place the function, file and line
 * @param bytes live in each recording
 * @param counts live allocations in each recording
 * @param grownBytes the sum of all growths after it first held memory
 * @param growthCount how often it held more than in the recording before
 * @param firstGrowth the number of the first of these recordings, from 0, or null
 * @param bytesPerStep the median slope, by steps if all recordings have one, else by recording;
 *     null if it may be by chance
 */
public record PlaceRow(
    String place,
    List<Long> bytes,
    List<Long> counts,
    long grownBytes,
    int growthCount,
    @Nullable Integer firstGrowth,
    @Nullable Long bytesPerStep) {
  private static final int WIDTH = 100;
  private static final int HEIGHT = 20;

  /**
   * The row of a place.
   *
   * @param steps of the recordings
   */
  static PlaceRow of(PlaceSeries place, long[] steps) {
    OptionalLong slope = place.bytesPerStep(steps);
    int size = place.memory().size();
    return new PlaceRow(
        SeriesAnswer.name(place.place()),
        IntStream.range(0, size).mapToObj(place::bytes).toList(),
        IntStream.range(0, size).mapToObj(place::count).toList(),
        place.grownBytes(),
        place.growthCount(),
        place.firstGrowth().isPresent() ? (Integer) place.firstGrowth().getAsInt() : null,
        slope.isPresent() ? (Long) slope.getAsLong() : null);
  }

  /** The first recording's. */
  public long firstBytes() {
    return bytes.getFirst();
  }

  /** The last recording's. */
  public long lastBytes() {
    return bytes.getLast();
  }

  public long mostBytes() {
    return bytes.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** Allocations in the recording with the most. */
  public long mostCount() {
    return counts.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** A small curve of the bytes, 100 wide and 20 high. */
  public String curve() {
    StringBuilder path = new StringBuilder();
    double most = Math.max(1, mostBytes());
    for (int each = 0; each < bytes.size(); each++) {
      path.append(each == 0 ? 'M' : 'L')
          .append(Math.round(1000.0 * WIDTH * each / (bytes.size() - 1)) / 1000.0)
          .append(',')
          .append(Math.round(10 * (HEIGHT - 1 - (HEIGHT - 2) * bytes.get(each) / most)) / 10.0);
    }
    return path.toString();
  }
}
