package dev.vramscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Running the jar with a Java version that is too old for it. */
class StartIT {
  private static final Path JAR = Path.of("target", "vramscope.jar").toAbsolutePath();
  private static final Path JVM_FOLDER = Path.of("/usr/lib/jvm");

  private record Result(int code, String output) {}

  @Test
  void olderJavaStartsNewerOneAndForwardsOutputAndExitCode() throws Exception {
    Result result = run(Map.of("JAVA_HOME", System.getProperty("java.home")));

    assertThat(result.output()).startsWith("golden: the argument DIR is missing.");
    assertThat(result.code()).isEqualTo(2);
  }

  private static Result run(Map<String, String> environment)
      throws IOException, InterruptedException {
    Optional<Path> old = olderJava();
    assumeTrue(old.isPresent(), "skipped: no Java from 17 to 24 in " + JVM_FOLDER);
    ProcessBuilder builder =
        new ProcessBuilder(old.orElseThrow().toString(), "-jar", JAR.toString(), "golden");
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }

  private static Optional<Path> olderJava() throws IOException {
    if (!Files.isDirectory(JVM_FOLDER)) {
      return Optional.empty();
    }
    try (Stream<Path> homes = Files.list(JVM_FOLDER)) {
      return homes
          .filter(home -> home.getFileName().toString().matches(".*(1[789]|2[0-4])([^0-9].*)?"))
          .map(home -> home.resolve("bin/java"))
          .filter(Files::isExecutable)
          .findFirst();
    }
  }
}
