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
 * The main class of the jar. This class is compiled for Java 17, everything else for Java 25. So
 * {@code java -jar} with an older Java, such as Debian's default, can start a newer one installed
 * on this machine, or print what is missing instead of an {@code UnsupportedClassVersionError}.
 */
public final class Start {
  private static final int REQUIRED_VERSION = 25;
  private static final Path JVM_FOLDER = Path.of("/usr/lib/jvm");
  private static final int EXIT_NO_JAVA = 1;

  private Start() {}

  /**
   * Runs the service or a command.
   *
   * @throws Exception any exception of the program
   */
  public static void main(String[] arguments) throws Exception {
    if (Runtime.version().feature() >= REQUIRED_VERSION) {
      Class.forName("dev.vramscope.VramscopeApplication")
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
      return;
    }
    Path java = newerJava();
    if (java == null) {
      System.err.println(
          "vramscope needs Java "
              + REQUIRED_VERSION
              + " or newer. This is "
              + Runtime.version()
              + ", and no newer version was found in JAVA_HOME or "
              + JVM_FOLDER
              + ". Install one (https://adoptium.net), or set JAVA_HOME to its folder.");
      System.exit(EXIT_NO_JAVA);
      return;
    }
    System.exit(runWith(java, arguments));
  }

  /** Runs the same jar with another Java, which is terminated when this process is. */
  private static int runWith(Path java, String[] arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-jar");
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).inheritIO().start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> terminate(process)));
    return process.waitFor();
  }

  private static void terminate(Process process) {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static @Nullable Path newerJava() throws IOException {
    List<Path> homes = new ArrayList<>();
    String javaHome = System.getenv("JAVA_HOME");
    if (javaHome != null) {
      homes.add(Path.of(javaHome));
    }
    if (Files.isDirectory(JVM_FOLDER)) {
      try (DirectoryStream<Path> installed = Files.newDirectoryStream(JVM_FOLDER)) {
        installed.forEach(homes::add);
      }
    }
    for (Path home : homes) {
      Path java = home.resolve("bin/java");
      if (Files.isExecutable(java) && version(home) >= REQUIRED_VERSION) {
        return java;
      }
    }
    return null;
  }

  /** The major version of the Java in a folder, or 0. */
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
