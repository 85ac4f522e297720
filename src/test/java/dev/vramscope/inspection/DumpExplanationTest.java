package dev.vramscope.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.xla.BfcDumpReader;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.postmortem.explanation.Explanation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** The first screen of a dump of XLA's allocator, which names the programs of its chunks. */
class DumpExplanationTest {
  @Test
  void itNamesTheProgramsAndNothingOfPyTorch() throws IOException, FormatException {
    Explanation explanation;
    try (InputStream log = Files.newInputStream(TestData.file("xla/jax_gpu_oom/dump.log"))) {
      explanation =
          SnapshotInspection.of(BfcDumpReader.read(log, ReadLimits.defaults()))
              .devices()
              .getFirst()
              .failures()
              .explanation(0, DeviceEvidence.NONE, ReplayEffort.QUICK);
    }
    assertThat(explanation.whatHappened().text())
        .startsWith("The program asked for 1 GiB, but not enough memory was left: 7.08 GiB was in")
        .doesNotContain("backward", "autograd");
    assertThat(explanation.whatHolds().text())
        .contains("99 % allocated by jit_broadcast_in_dim, 1 % by jit_multiply");
  }
}
