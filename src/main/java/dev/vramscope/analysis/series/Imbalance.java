package dev.vramscope.analysis.series;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A place that holds more on one device than on the others.
 *
 * @param device its name
 * @param bytes on this device, in the recording with the largest difference
 * @param peerBytes what the median of the other devices holds there
 * @param first the first recording in which it holds more
 * @param last the last such recording
 */
public record Imbalance(
    CodePlace place, String device, long bytes, long peerBytes, int first, int last) {
  /** Smaller differences do not matter. */
  private static final long NOTABLE_BYTES = 1 << 20;

  private record Key(CodePlace place, String device) {}

  /** Above the other devices. */
  public long excessBytes() {
    return bytes - peerBytes;
  }

  /** All in a series, the largest difference first. */
  static List<Imbalance> of(List<SeriesRecording> recordings) {
    Map<Key, Imbalance> all = new LinkedHashMap<>();
    for (int each = 0; each < recordings.size(); each++) {
      for (Imbalance found : of(recordings.get(each), each)) {
        all.merge(new Key(found.place, found.device), found, Imbalance::with);
      }
    }
    List<Imbalance> sorted = new ArrayList<>(all.values());
    sorted.sort(Comparator.comparingLong(Imbalance::excessBytes).reversed());
    return sorted;
  }

  private static List<Imbalance> of(SeriesRecording recording, int number) {
    // A program that uses one of its devices does not share its work among them.
    long used = recording.devices().stream().filter(device -> device.bytes() > 0).count();
    if (used < 2) {
      return List.of();
    }
    return recording.devices().stream()
        .flatMap(device -> device.places().keySet().stream())
        .distinct()
        .flatMap(place -> of(place, recording.devices(), number).stream())
        .toList();
  }

  private static Optional<Imbalance> of(CodePlace place, List<LiveMemory> devices, int number) {
    LiveMemory most =
        devices.stream().max(Comparator.comparingLong(each -> bytes(place, each))).orElseThrow();
    long[] peers =
        devices.stream()
            .filter(each -> !each.name().equals(most.name()))
            .mapToLong(each -> bytes(place, each))
            .sorted()
            .toArray();
    Imbalance imbalance =
        new Imbalance(
            place, most.name(), bytes(place, most), peers[peers.length / 2], number, number);
    return imbalance.excessBytes() < NOTABLE_BYTES ? Optional.empty() : Optional.of(imbalance);
  }

  private static long bytes(CodePlace place, LiveMemory device) {
    return device.places().getOrDefault(place, PlaceMemory.NOTHING).bytes();
  }

  private Imbalance with(Imbalance later) {
    Imbalance larger = later.excessBytes() > excessBytes() ? later : this;
    return new Imbalance(place, device, larger.bytes, larger.peerBytes, first, later.last);
  }
}
