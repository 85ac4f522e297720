package dev.vramscope.analysis.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps and leak suspects of real PyTorch programs. */
class LeakSuspectsTest {
  private record Program(Snapshot snapshot, Lifetimes lifetimes, ActiveBytes active) {
    static Program of(String name) throws IOException {
      var file = TestData.file("programs/" + name + "/snapshot.pickle.gz");
      try (InputStream in =
          new BufferedInputStream(new GZIPInputStream(Files.newInputStream(file)))) {
        Snapshot snapshot = TorchPickleReader.read(in, ReadLimits.defaults());
        Lifetimes lifetimes = Lifetimes.of(snapshot.devices().getFirst());
        return new Program(
            snapshot, lifetimes, ActiveBytes.of(snapshot.devices().getFirst(), lifetimes));
      } catch (FormatException e) {
        throw new AssertionError(name, e);
      }
    }

    Steps steps() {
      DeviceSnapshot device = snapshot.devices().getFirst();
      Steps steps = Steps.of(snapshot.stacks(), device, active);
      return device.trace().ooms().isEmpty()
          ? steps
          : steps.before(device.trace().ooms().getLast().event());
    }

    LeakSuspects suspects() {
      StackClasses stacks = FrameRules.standard().classify(snapshot.stacks());
      return LeakSuspects.of(lifetimes, steps(), stacks);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "keeps_losses, 31",
    "keeps_outputs, 21",
    "long_context_spike, 6",
    "train_varying, 17",
    "first_optimizer_step, 0"
  })
  void stepsAreThoseOfTheProgram(String name, int starts) throws IOException {
    // One more or less, depending on where in the loop the first and the last one are marked.
    assertThat(Program.of(name).steps().startCount()).isBetween(starts - 1, starts + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"keeps_losses", "keeps_outputs"})
  void growingSitesShareTheLoopThatKeepsThem(String name) throws IOException {
    Program program = Program.of(name);
    LeakSuspects suspects = program.suspects();
    assertThat(suspects.rows()).isNotEmpty();
    for (LeakSuspects.Row row : suspects.rows()) {
      assertThat(row.growth().bytesPerStep()).isPositive();
      assertThat(row.liveBytes()).isPositive();
    }
    assertThat(suspects.sharedStack()).isNotEqualTo(StackTable.NONE);
    List<String> functions = new ArrayList<>();
    for (Frame frame : program.snapshot().stacks().framesOf(suspects.sharedStack())) {
      functions.add(frame.name());
    }
    assertThat(functions).contains(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"train_fixed", "recomputed", "train_varying", "long_context_spike"})
  void steadyProgramsHaveNoSuspects(String name) throws IOException {
    assertThat(Program.of(name).suspects().rows()).isEmpty();
  }

  @Test
  void slopeIgnoresOutliersAndSaysHowSureItIs() {
    RobustSlope growing = RobustSlope.of(new long[] {0, 10, 20, 900, 40, 50, 60});
    assertThat(growing.bytesPerStep()).isBetween(9.0, 11.0);
    assertThat(growing.agreement()).isGreaterThan(0.6);
    assertThat(growing.grownBytes()).isBetween(55L, 65L);
    assertThat(RobustSlope.of(new long[] {5, 5, 5, 5})).isEqualTo(new RobustSlope(0, 0, 4));
    assertThat(RobustSlope.of(new long[] {9, 6, 3}).grownBytes()).isZero();
    assertThat(RobustSlope.of(new long[] {9, 6, 3}).agreement()).isEqualTo(-1);
  }
}
