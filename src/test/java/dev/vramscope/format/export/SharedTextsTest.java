package dev.vramscope.format.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchJsonReader;
import dev.vramscope.model.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A text that many events share counts once where it is written once, and costs no time. */
class SharedTextsTest {
  private static final int EVENTS = 1000;
  private static final int TEXT_LENGTH = 50_000;

  @Test
  void estimateIsThatOfTheFileAndQuick() throws Exception {
    Snapshot snapshot = snapshot();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    ExportSizes sizes = ExportSizes.of(snapshot);
    long jsonLines = sizes.jsonLines();
    long csv = sizes.csv();
    assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - start))
        .isLessThan(Duration.ofSeconds(2));
    long repeated = (long) EVENTS * TEXT_LENGTH;
    assertThat(jsonLines).isBetween(repeated / 2, repeated * 2);
    assertThat(csv).isBetween(repeated / 2, repeated * 2);

    ByteArrayOutputStream pickle = new ByteArrayOutputStream();
    TorchPickleWriter.write(snapshot, pickle);
    assertThat(sizes.torchPickle()).isBetween(pickle.size() / 2L, pickle.size() * 2L);
  }

  private static Snapshot snapshot() throws Exception {
    StringBuilder json = new StringBuilder("{\"segments\":[],\"device_traces\":[[");
    String text = "m".repeat(TEXT_LENGTH);
    for (int event = 0; event < EVENTS; event++) {
      json.append(event == 0 ? "" : ",")
          .append("{\"action\":\"alloc\",\"addr\":")
          .append(140_000_000_000_000L + 512L * event)
          .append(",\"size\":512,\"stream\":0,\"user_metadata\":\"")
          .append(text)
          .append("\"}");
    }
    byte[] file = json.append("]]}").toString().getBytes(StandardCharsets.UTF_8);
    return TorchJsonReader.read(new ByteArrayInputStream(file), ReadLimits.defaults());
  }
}
