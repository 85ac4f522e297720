package dev.vramscope.analysis.series;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Recordings of one process in the order of time.
 *
 * @param recordings at least two
 * @param places that hold memory in one of them, those that grow most first
 * @param imbalances places that one device has more of than the others, the largest first
 * @param hasSteps whether all recordings are tagged with steps that ascend
 */
public record Series(
    List<SeriesRecording> recordings,
    List<PlaceSeries> places,
    List<Imbalance> imbalances,
    boolean hasSteps) {
  /** New programs from one recording to the next that are more than a change of a few shapes. */
  private static final long MANY_PROGRAMS = 10;

  public Series {
    recordings = List.copyOf(recordings);
    places = List.copyOf(places);
    imbalances = List.copyOf(imbalances);
  }

  /**
   * The compiled programs of two recordings.
   *
   * @param recording the second of them
   */
  public record Compilations(int recording, long before, long after) {}

  /** The series of recordings in the order of time. */
  public static Series of(List<SeriesRecording> recordings) {
    if (recordings.size() < 2) {
      throw new IllegalArgumentException(recordings.size() + " recordings are no series");
    }
    List<PlaceSeries> places =
        recordings.stream()
            .flatMap(recording -> recording.devices().stream())
            .flatMap(device -> device.places().keySet().stream())
            .distinct()
            .map(place -> PlaceSeries.of(place, recordings))
            .sorted(
                Comparator.comparingLong(PlaceSeries::grownBytes)
                    .thenComparingLong(PlaceSeries::mostBytes)
                    .reversed())
            .toList();
    return new Series(recordings, places, Imbalance.of(recordings), hasSteps(recordings));
  }

  public SeriesRecording first() {
    return recordings.getFirst();
  }

  public SeriesRecording last() {
    return recordings.getLast();
  }

  /** From the first recording to the last; negative if the last holds less. */
  public long changeBytes() {
    return last().bytes() - first().bytes();
  }

  /** The recording with the most live bytes; the first of those. */
  public int peak() {
    int peak = 0;
    for (int each = 1; each < recordings.size(); each++) {
      peak = recordings.get(each).bytes() > recordings.get(peak).bytes() ? each : peak;
    }
    return peak;
  }

  /** Places that hold more and more, the most growth first. */
  public List<PlaceSeries> growing() {
    return places.stream()
        .filter(each -> each.place().isKnown() && each.growthCount() > 0)
        .toList();
  }

  /** The largest number of programs that were compiled between two recordings, if it is many. */
  public Optional<Compilations> compilations() {
    return programs()
        .filter(each -> each.after - each.before >= MANY_PROGRAMS && each.before > 0)
        .max(Comparator.comparingLong(each -> each.after - each.before));
  }

  /** The first recording that has less than half of the programs of the one before. */
  public Optional<Compilations> clearedPrograms() {
    return programs().filter(each -> each.after * 2 < each.before).findFirst();
  }

  private Stream<Compilations> programs() {
    return IntStream.range(1, recordings.size())
        .mapToObj(this::compiledBefore)
        .flatMap(Optional::stream);
  }

  private Optional<Compilations> compiledBefore(int recording) {
    OptionalLong before = recordings.get(recording - 1).executables();
    OptionalLong after = recordings.get(recording).executables();
    return before.isPresent() && after.isPresent()
        ? Optional.of(new Compilations(recording, before.getAsLong(), after.getAsLong()))
        : Optional.empty();
  }

  /** Live bytes that a recording has more than the one before. */
  public long changeBytes(int recording) {
    return recordings.get(recording).bytes() - recordings.get(recording - 1).bytes();
  }

  private static boolean hasSteps(List<SeriesRecording> recordings) {
    return IntStream.range(0, recordings.size())
        .allMatch(
            each ->
                recordings.get(each).step().isPresent()
                    && (each == 0 || step(recordings, each) > step(recordings, each - 1)));
  }

  /** The steps of the recordings, or else their numbers. */
  public long[] steps() {
    return IntStream.range(0, recordings.size())
        .mapToLong(each -> hasSteps ? step(recordings, each) : each)
        .toArray();
  }

  private static long step(List<SeriesRecording> recordings, int recording) {
    return recordings.get(recording).step().orElseThrow();
  }
}
