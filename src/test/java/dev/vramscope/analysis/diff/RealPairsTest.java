package dev.vramscope.analysis.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.analysis.diff.DiffRows.Group;
import dev.vramscope.analysis.diff.DiffRows.Row;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Snapshots of real programs compared with each other. */
class RealPairsTest {
  private static DeviceMoment peak(String program) throws IOException, FormatException {
    try (var in =
        new GZIPInputStream(
            Files.newInputStream(TestData.file("programs/" + program + "/snapshot.pickle.gz")))) {
      Snapshot snapshot = TorchPickleReader.read(in, ReadLimits.defaults());
      DeviceSnapshot device = snapshot.devices().getFirst();
      Lifetimes lifetimes = Lifetimes.of(device);
      ActiveBytes active = ActiveBytes.of(device, lifetimes);
      StackClasses stacks = FrameRules.standard().classify(snapshot.stacks());
      return new DeviceMoment(lifetimes, active, stacks, active.peakEvent());
    }
  }

  private static DeviceMoment end(DeviceMoment moment) {
    return new DeviceMoment(
        moment.lifetimes(), moment.active(), moment.stacks(), moment.active().eventCount() - 1);
  }

  @ParameterizedTest
  @CsvSource({
    "train_fixed, train_varying",
    "train_varying, train_fixed",
    "keeps_losses, keeps_outputs",
    "generate, recomputed",
    "side_stream, private_pool"
  })
  void everyStackHasTheBytesOfBothFiles(String first, String second) throws Exception {
    DeviceMoment before = peak(first);
    DeviceMoment after = peak(second);
    check(before, after);
    check(end(before), end(after));
    check(before, end(before));
  }

  private static void check(DeviceMoment before, DeviceMoment after) {
    MemoryDiff diff = MemoryDiff.of(before, after, Integer.MAX_VALUE);
    for (DiffRows rows : List.of(diff.sites(), diff.stacks())) {
      assertThat(rows.groups().stream().mapToLong(Group::beforeBytes).sum())
          .isEqualTo(diff.beforeBytes())
          .isEqualTo(before.active().at(before.event()));
      assertThat(rows.groups().stream().mapToLong(Group::afterBytes).sum())
          .isEqualTo(diff.afterBytes())
          .isEqualTo(after.active().at(after.event()));
    }
    Map<List<Frame>, Long> expected = new HashMap<>();
    counted(after).forEach((stack, bytes) -> expected.merge(stack, bytes, Long::sum));
    counted(before).forEach((stack, bytes) -> expected.merge(stack, -bytes, Long::sum));
    expected.values().removeIf(bytes -> bytes == 0);
    Map<List<Frame>, Long> found = new HashMap<>();
    for (Row row : diff.stacks().largest()) {
      found.merge(frames(row, before, after), row.differenceBytes(), Long::sum);
    }
    found.values().removeIf(bytes -> bytes == 0);
    assertThat(found).isEqualTo(expected);
  }

  private static Map<List<Frame>, Long> counted(DeviceMoment moment) {
    Map<List<Frame>, Long> bytes = new HashMap<>();
    Lifetimes lifetimes = moment.lifetimes();
    for (int row = 0; row < lifetimes.size(); row++) {
      if (lifetimes.isActiveAt(row, moment.event())) {
        StackTable stacks = moment.stacks().stacks();
        bytes.merge(stacks.framesOf(lifetimes.stack(row)), lifetimes.bytes(row), Long::sum);
      }
    }
    return bytes;
  }

  private static List<Frame> frames(Row row, DeviceMoment before, DeviceMoment after) {
    DiffRows.@Nullable Held held = row.after() != null ? row.after() : row.before();
    DeviceMoment moment = row.after() != null ? after : before;
    return held == null ? List.of() : moment.stacks().stacks().framesOf(held.stack());
  }
}
