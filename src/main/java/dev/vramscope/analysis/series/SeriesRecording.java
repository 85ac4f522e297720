package dev.vramscope.analysis.series;

import java.util.List;
import java.util.OptionalLong;

/**
 * One recording of a series.
 *
 * @param id of the stored snapshot
 * @param step of the program, if it is tagged with one
 * @param executables compiled programs that the process had, if the recording counts them
 */
public record SeriesRecording(
    String id, String name, OptionalLong step, OptionalLong executables, List<LiveMemory> devices) {
  public SeriesRecording {
    devices = List.copyOf(devices);
  }

  public long bytes() {
    return devices.stream().mapToLong(LiveMemory::bytes).sum();
  }

  /** Number of live allocations. */
  public long count() {
    return devices.stream().mapToLong(LiveMemory::count).sum();
  }

  /** What a place holds on all devices. */
  PlaceMemory at(CodePlace place) {
    return devices.stream()
        .map(device -> device.places().getOrDefault(place, PlaceMemory.NOTHING))
        .reduce(PlaceMemory.NOTHING, PlaceMemory::plus);
  }
}
