package dev.vramscope.web.series;

import dev.vramscope.analysis.series.Series;
import dev.vramscope.analysis.series.SeriesRecording;
import dev.vramscope.web.display.DisplayFormat;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A recording in the table and in JSON.
 *
 * @param snapshot its id
 * @param step of the program; null if it is not tagged with one
 * @param bytes live on all devices
 * @param changeBytes since the recording before; 0 for the first
 * @param count live allocations
 * @param executables compiled programs of the process; null if the recording does not count them
 * @param changeExecutables since the recording before; null if that is not known
 */
public record SeriesRow(
    String snapshot,
    String name,
    @Nullable Long step,
    long bytes,
    long changeBytes,
    long count,
    @Nullable Long executables,
    @Nullable Long changeExecutables) {
  private static final DisplayFormat FORMAT = new DisplayFormat();

  static SeriesRow of(Series series, int number) {
    SeriesRecording recording = series.recordings().get(number);
    SeriesRecording before = series.recordings().get(Math.max(0, number - 1));
    Long executables = orNull(recording.executables());
    Long earlier = orNull(before.executables());
    return new SeriesRow(
        recording.id(),
        recording.name(),
        orNull(recording.step()),
        recording.bytes(),
        recording.bytes() - before.bytes(),
        recording.count(),
        executables,
        executables == null || earlier == null ? null : (Long) (executables - earlier));
  }

  private static @Nullable Long orNull(OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }

  /** In a tooltip. */
  String text() {
    return name
        + (step == null ? "" : ", step " + FORMAT.count(step))
        + ": "
        + FORMAT.bytes(bytes)
        + " live"
        + (executables == null ? "" : ", " + FORMAT.counted(executables, "compiled program"));
  }
}
