package dev.vramscope.web.series;

import dev.vramscope.analysis.series.Imbalance;
import dev.vramscope.analysis.series.LiveMemory;
import dev.vramscope.analysis.series.Series;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A series in JSON.
 *
 * @param answer what follows, in sentences
 * @param bySteps whether the order and slopes are those of steps; otherwise of uploads
 * @param total snapshots of the job; the newest 200 are in the series
 * @param recordings in the order of time
 * @param places lines of code, those that grow most first
 * @param placeCount all of them; the list has at most 200
 * @param devices live bytes in each recording, by the name of the device
 * @param imbalances lines of code of which one device holds at least 1 MiB more than the others
 */
public record SeriesView(
    List<String> answer,
    boolean bySteps,
    long total,
    List<SeriesRow> recordings,
    List<PlaceRow> places,
    int placeCount,
    Map<String, List<Long>> devices,
    List<Uneven> imbalances) {
  private static final int MOST_PLACES = 200;

  /**
   * A line of code that holds more on one device.
   *
   * @param peerBytes the median of the other devices
   * @param first the first recording in which it holds more, from 0
   * @param last the last one
   */
  public record Uneven(
      String place,
      String device,
      long bytes,
      long peerBytes,
      long excessBytes,
      int first,
      int last) {
    static Uneven of(Imbalance imbalance) {
      return new Uneven(
          SeriesAnswer.name(imbalance.place()),
          imbalance.device(),
          imbalance.bytes(),
          imbalance.peerBytes(),
          imbalance.excessBytes(),
          imbalance.first(),
          imbalance.last());
    }
  }

  static SeriesView of(ShownSeries shown) {
    Series series = shown.series();
    long[] steps = series.steps();
    return new SeriesView(
        SeriesAnswer.of(series),
        series.hasSteps(),
        shown.total(),
        IntStream.range(0, series.recordings().size())
            .mapToObj(each -> SeriesRow.of(series, each))
            .toList(),
        series.places().stream()
            .limit(MOST_PLACES)
            .map(place -> PlaceRow.of(place, steps))
            .toList(),
        series.places().size(),
        devices(series),
        series.imbalances().stream().limit(MOST_PLACES).map(Uneven::of).toList());
  }

  private static Map<String, List<Long>> devices(Series series) {
    Map<String, List<Long>> devices = new LinkedHashMap<>();
    series.recordings().stream()
        .flatMap(recording -> recording.devices().stream())
        .map(LiveMemory::name)
        .sorted()
        .distinct()
        .forEach(
            name ->
                devices.put(
                    name,
                    series.recordings().stream()
                        .map(
                            recording ->
                                recording.devices().stream()
                                    .filter(device -> device.name().equals(name))
                                    .mapToLong(LiveMemory::bytes)
                                    .sum())
                        .toList()));
    return devices;
  }
}
