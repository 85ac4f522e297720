package dev.vramscope;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Where the jar begins. All else is compiled for Java 25; this class for 17, so that {@code java
 * -jar} with an older Java, as Debian's default is, finds a newer one on this machine and goes on
 * there, or says what is missing instead of {@code UnsupportedClassVersionError}.
 */
public final class Start {
  private static final int NEEDED = 25;
  private static final Path INSTALLED = Path.of("/usr/lib/jvm");
  private static final int CANNOT_RUN = 1;

  private Start() {}

  /**
   * Runs the service or a command.
   *
   * @throws Exception whatever the program throws
   */
  public static void main(String[] arguments) throws Exception {
    if (Runtime.version().feature() >= NEEDED) {
      Class.forName("dev.vramscope.VramscopeApplication")
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
      return;
    }
    Path java = newerJava();
    if (java == null) {
      System.err.println(
          "vramscope needs Java "
              + NEEDED
              + " or newer; this is "
              + Runtime.version()
              + ", and there is no newer one in JAVA_HOME or "
              + INSTALLED
              + ". Install one (https://adoptium.net), or set JAVA_HOME to where one is.");
      System.exit(CANNOT_RUN);
      return;
    }
    System.exit(goOn(java, arguments));
  }

  /** Runs the same jar with another Java, which ends when this one is told to. */
  private static int goOn(Path java, String[] arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-jar");
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).inheritIO().start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process)));
    return process.waitFor();
  }

  private static void end(Process process) {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static @Nullable Path newerJava() throws IOException {
    List<Path> homes = new ArrayList<>();
    String set = System.getenv("JAVA_HOME");
    if (set != null) {
      homes.add(Path.of(set));
    }
    if (Files.isDirectory(INSTALLED)) {
      try (DirectoryStream<Path> installed = Files.newDirectoryStream(INSTALLED)) {
        installed.forEach(homes::add);
      }
    }
    for (Path home : homes) {
      Path java = home.resolve("bin/java");
      if (Files.isExecutable(java) && version(home) >= NEEDED) {
        return java;
      }
    }
    return null;
  }

  /** The Java in a folder, or 0. */
  private static int version(Path home) throws IOException {
    Path release = home.resolve("release");
    if (!Files.isRegularFile(release)) {
      return 0;
    }
    Properties properties = new Properties();
    try (var text = Files.newBufferedReader(release)) {
      properties.load(text);
    }
    String version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
    int end = version.indexOf('.');
    String major = end < 0 ? version : version.substring(0, end);
    return major.matches("\\d{1,4}") ? Integer.parseInt(major) : 0;
  }
}
