package dev.vramscope.format.torch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pickles written by CPython from a snapshot in JSON. */
class PythonPicklesTest {
  private static final String DUMP =
      "import json, pickle, sys; sys.stdout.buffer.write(pickle.dumps(json.loads(sys.argv[1]),"
          + " protocol=int(sys.argv[2])))";

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void readsPicklesOfCpython(int protocol) throws Exception {
    byte[] pickle = dump(JsonText.of(SampleSnapshots.snapshot()), protocol);
    assertThat(pickle).startsWith(0x80, protocol);
    assertThat(SnapshotContents.of(SampleSnapshots.read(pickle)))
        .isEqualTo(SnapshotContents.of(SampleSnapshots.read(SampleSnapshots.snapshot())));
  }

  private static byte[] dump(String json, int protocol) throws InterruptedException {
    try {
      Process python =
          new ProcessBuilder(List.of("python3", "-c", DUMP, json, "" + protocol)).start();
      byte[] pickle = python.getInputStream().readAllBytes();
      Assumptions.assumeTrue(
          python.waitFor(30, TimeUnit.SECONDS) && python.exitValue() == 0,
          "skipped: python3 failed");
      return pickle;
    } catch (IOException missing) {
      return Assumptions.abort("skipped: python3 is not installed");
    }
  }
}
