package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.NeedsThirdPartyFiles;
import dev.vramscope.ThirdPartyFiles;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.Fidelity.Start;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Replays of other people's snapshots; prints the table of all of them. */
class RealFidelityTest {
  @Test
  @NeedsThirdPartyFiles
  void everySnapshotWithAllocationsIsReproduced() {
    List<String> table = new ArrayList<>();
    List<String> different = new ArrayList<>();
    int compared = 0;
    for (Path file : ThirdPartyFiles.files("snapshots/torch")) {
      Snapshot snapshot = Recordings.read(file);
      for (DeviceSnapshot device : snapshot.devices()) {
        Fidelity fidelity = Fidelity.of(snapshot, device, Lifetimes.of(device));
        table.add(row(file, snapshot, device, fidelity));
        if (fidelity.placements() > 0) {
          compared++;
        }
        if (fidelity.placements() > 0 && !fidelity.isExact()) {
          different.add(file.getFileName() + " " + fidelity);
        }
      }
    }
    table.forEach(System.out::println);
    assertThat(different).isEmpty();
    assertThat(compared).isEqualTo(18);
  }

  private static String row(
      Path file, Snapshot snapshot, DeviceSnapshot device, Fidelity fidelity) {
    String name = file.getFileName().toString();
    return String.format(
        Locale.ROOT,
        "%-32.32s %-24s %,7d events  %3d of %3d segment events, %,6d of %,6d placements, %s",
        name.substring(0, name.lastIndexOf("__")).replace("__", "/"),
        snapshot.origin().producer(),
        device.trace().size(),
        fidelity.reproducedSegmentEvents(),
        fidelity.segmentEvents(),
        fidelity.reproducedPlacements(),
        fidelity.placements(),
        fidelity.placements() == 0
            ? "nothing to compare"
            : fidelity.start() == Start.WHOLE_RUN ? "whole run" : "reconstructed start");
  }
}
