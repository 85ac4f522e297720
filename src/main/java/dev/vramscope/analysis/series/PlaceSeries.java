package dev.vramscope.analysis.series;

import dev.vramscope.analysis.sites.RobustSlope;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * One place over the recordings of a series.
 *
 * @param memory one for each recording
 */
public record PlaceSeries(CodePlace place, List<PlaceMemory> memory) {
  public PlaceSeries {
    memory = List.copyOf(memory);
  }

  static PlaceSeries of(CodePlace place, List<SeriesRecording> recordings) {
    return new PlaceSeries(
        place, recordings.stream().map(recording -> recording.at(place)).toList());
  }

  public long bytes(int recording) {
    return memory.get(recording).bytes();
  }

  public long count(int recording) {
    return memory.get(recording).count();
  }

  public long mostBytes() {
    return memory.stream().mapToLong(PlaceMemory::bytes).max().orElse(0);
  }

  /** From the first recording to the last; negative if it holds less. */
  public long changeBytes() {
    return bytes(memory.size() - 1) - bytes(0);
  }

  /** The first recording in which it holds memory. */
  public int firstHeld() {
    return IntStream.range(0, memory.size())
        .filter(each -> bytes(each) > 0)
        .findFirst()
        .orElse(memory.size());
  }

  /**
   * The first recording in which it holds more than in the one before, where it held memory
   * already: what is allocated once does not grow.
   */
  public OptionalInt firstGrowth() {
    return growths().findFirst();
  }

  /** The last of these. */
  public OptionalInt lastGrowth() {
    return growths().max();
  }

  private IntStream growths() {
    return IntStream.range(firstHeld() + 1, memory.size())
        .filter(each -> bytes(each) > bytes(each - 1) && bytes(each - 1) > 0);
  }

  /** How often it held more than in the recording before. */
  public int growthCount() {
    return (int) growths().count();
  }

  /** The sum of these growths. */
  public long grownBytes() {
    return growths().mapToLong(each -> bytes(each) - bytes(each - 1)).sum();
  }

  /** Whether what it gained is live in the last recording. */
  public boolean isHeldAtEnd() {
    return bytes(memory.size() - 1) >= mostBytes();
  }

  /**
   * Growth by step over all recordings from the first in which it holds memory; empty if it grew at
   * most once, or if the slope may be by chance.
   */
  public OptionalLong bytesPerStep(long[] steps) {
    if (growthCount() < 2) {
      return OptionalLong.empty();
    }
    RobustSlope slope =
        RobustSlope.of(
            Arrays.copyOfRange(steps, firstHeld(), steps.length),
            IntStream.range(firstHeld(), memory.size()).mapToLong(this::bytes).toArray());
    return slope.isSignificant()
        ? OptionalLong.of(Math.round(slope.bytesPerStep()))
        : OptionalLong.empty();
  }
}
