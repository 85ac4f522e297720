package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.vramscope.TestData;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.Fidelity.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Recordings of PyTorch's own allocator, whole and without their first events, as a full ring of
 * events leaves them. The replay reproduces all that is left, from a reconstructed start.
 */
class PartialRecordingsTest {
  private static final int CUTS = 8;

  @TestFactory
  Stream<DynamicTest> wholeRunsAreReproduced() {
    return recordings()
        .map(
            file ->
                dynamicTest(
                    name(file),
                    () -> {
                      Snapshot snapshot = Recordings.read(file);
                      for (DeviceSnapshot device : snapshot.devices()) {
                        requireExact(snapshot, device, "whole");
                      }
                    }));
  }

  @TestFactory
  Stream<DynamicTest> restsOfRunsAreReproduced() {
    return recordings()
        .map(file -> dynamicTest(name(file), () -> cutAtManyEvents(Recordings.read(file))));
  }

  private static void cutAtManyEvents(Snapshot snapshot) {
    DeviceSnapshot device = snapshot.devices().getFirst();
    int events = device.trace().size();
    SplittableRandom random = new SplittableRandom(events);
    for (int cut = 1; cut < CUTS && events > 1; cut++) {
      long from = (long) events * cut / CUTS;
      int dropped = Math.clamp(from + random.nextInt(1 + events / 16), 1, events - 1);
      DeviceSnapshot rest = Recordings.without(device, dropped);
      Fidelity fidelity = requireExact(snapshot, rest, "without " + dropped + " events");
      assertThat(fidelity.start()).isEqualTo(Start.RECONSTRUCTED);
    }
  }

  private static Fidelity requireExact(Snapshot snapshot, DeviceSnapshot device, String part) {
    Fidelity fidelity = Fidelity.of(snapshot, device, Lifetimes.of(device));
    assertThat(fidelity.reproducedPlacements())
        .as("placements, %s, %s", part, fidelity)
        .isEqualTo(fidelity.placements());
    assertThat(fidelity.reproducedSegmentEvents())
        .as("segment events, %s, %s", part, fidelity)
        .isEqualTo(fidelity.segmentEvents());
    return fidelity;
  }

  private static String name(Path file) {
    return file.getName(file.getNameCount() - 2).toString();
  }

  private static Stream<Path> recordings() {
    return Stream.of("ooms", "programs", "failures").flatMap(PartialRecordingsTest::recordings);
  }

  private static Stream<Path> recordings(String folder) {
    try (Stream<Path> cases = Files.list(TestData.folder(folder))) {
      List<Path> files =
          cases
              .map(one -> one.resolve("snapshot.pickle.gz"))
              .filter(Files::exists)
              .sorted()
              .toList();
      assertThat(files).as(folder).isNotEmpty();
      return files.stream();
    } catch (IOException unreadable) {
      throw new AssertionError(folder, unreadable);
    }
  }
}
