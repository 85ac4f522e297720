package dev.vramscope.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.VramscopeApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * A service that cannot start prints one line to the standard error, and exits with a code. Kinds
 * of failures are tested in a process of their own, the settings of one kind in this one.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureIT {
  private static final int FAILED = 1;
  private static final int INVALID_USAGE = 2;

  @TempDir Path folder;

  private record Exit(int code, String error, String log) {}

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "server.port             | abc   | a whole number",
        "vramscope.min-free      | much  | a size such as 512MB",
        "vramscope.limits.max-duration | soon | a duration such as 10s",
        "vramscope.live.max-viewers | many | a whole number",
        "server.address          | no.such.host.invalid | an IP address or a known host name",
      })
  void valueOfTheWrongTypeIsReportedWithItsOption(
      String name, String value, String expected, CapturedOutput output) {
    String[] arguments = {"--vramscope.data-dir=" + folder, "--" + name + "=" + value};
    assertThatThrownBy(() -> SpringApplication.run(VramscopeApplication.class, arguments))
        .satisfies(failure -> assertThat(CommandLine.exitCode(failure)).isEqualTo(INVALID_USAGE));
    assertThat(output.getErr())
        .isEqualTo(
            "vramscope cannot start: the setting %s is '%s' (option --%s), which is not %s. Change"
                    .formatted(name, value, name, expected)
                + " it or leave it out: 'help serve' lists the settings with their defaults.\n");
    assertThat(output.getOut()).doesNotContain("APPLICATION FAILED", "Exception", "\tat ");
  }

  @Test
  void valueInTheEnvironmentIsReportedWithItsVariable() throws Exception {
    Exit exit = serve(Map.of("VRAMSCOPE_LIMITS_MAXUPLOAD", "8 gigs"));
    assertThat(exit.error())
        .startsWith(
            "vramscope cannot start: the setting vramscope.limits.max-upload is '8 gigs' (variable"
                + " VRAMSCOPE_LIMITS_MAXUPLOAD), which is not a size")
        .hasLineCount(1);
    assertThat(exit.code()).isEqualTo(INVALID_USAGE);
    assertThat(exit.log()).doesNotContain("APPLICATION FAILED", "Exception", "\tat ");
  }

  @Test
  void portInUseIsReported() throws Exception {
    try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Exit exit = serve(Map.of(), "--server.port=" + used.getLocalPort());
      assertThat(exit.error())
          .isEqualTo(
              "vramscope cannot start: port "
                  + used.getLocalPort()
                  + " is in use by another process. Stop that process, or choose another port with"
                  + " --server.port=PORT.\n");
      assertThat(exit.code()).isEqualTo(FAILED);
      assertThat(exit.log()).doesNotContain("APPLICATION FAILED", "\tat ");
    }
  }

  @Test
  void portOutOfRangeIsReported() throws Exception {
    Exit exit = serve(Map.of(), "--server.port=99999");
    assertThat(exit.error())
        .startsWith(
            "vramscope cannot start: the setting server.port is 99999, which is not a port.")
        .hasLineCount(1);
    assertThat(exit.code()).isEqualTo(INVALID_USAGE);
    assertThat(exit.log()).doesNotContain("\tat ");
  }

  @Test
  void lockedDataFolderIsReported() throws Exception {
    try (FileChannel file =
            FileChannel.open(
                folder.resolve("vramscope.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      assertThat(lock.isValid()).isTrue();
      Exit exit = serve(Map.of(), "--server.port=0");
      assertThat(exit.error())
          .isEqualTo(
              "vramscope cannot start: another vramscope process uses the data folder "
                  + folder
                  + ". Stop that process, or choose another data folder.\n");
      assertThat(exit.code()).isEqualTo(FAILED);
      assertThat(exit.log()).doesNotContain("APPLICATION FAILED", "Exception", "\tat ");
    }
  }

  private Exit serve(Map<String, String> environment, String... options)
      throws IOException, InterruptedException {
    Path log = folder.resolve("log.txt");
    Path error = folder.resolve("error.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(VramscopeApplication.class.getName());
    command.add("--vramscope.data-dir=" + folder);
    command.addAll(List.of(options));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(log.toFile()).redirectError(error.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      // On a machine with other work, the JVM alone may take a minute to start.
      assertThat(process.waitFor(4, TimeUnit.MINUTES)).as(() -> read(log)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Exit(process.exitValue(), read(error), read(log));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
