package dev.vramscope;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that has become quiet gives the heap of its most expensive minute back. */
class UnusedHeapIT {
  private static final long MOST_SECONDS = 60;
  private static final int USED_BYTES = 200 << 20;
  private static final long MOST_BYTES_AT_REST = 64 << 20;

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseSerialGC"})
  void heapThatIsNotUsedIsGivenBack(String collector) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-Xms16m", collector));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Quiet.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var output = process.getInputStream()) {
      assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).as("in time").isTrue();
      assertThat(new String(output.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("given back");
    } finally {
      process.destroyForcibly();
    }
  }

  /** Uses heap, no more of it, and waits until it is given back. */
  static final class Quiet {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private Quiet() {}

    public static void main(String[] arguments) throws InterruptedException {
      UnusedHeap.giveBack(INTERVAL);
      int used = use();
      if (committed() < used) {
        System.out.print("not used: ");
      }
      while (committed() > MOST_BYTES_AT_REST) {
        Thread.sleep(INTERVAL);
      }
      System.out.print("given back");
    }

    private static int use() {
      List<byte[]> parts = new ArrayList<>();
      for (int bytes = 0; bytes < USED_BYTES; bytes += 1 << 20) {
        parts.add(new byte[1 << 20]);
      }
      return parts.size() << 20;
    }

    private static long committed() {
      return Runtime.getRuntime().totalMemory();
    }
  }
}
