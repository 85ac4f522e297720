import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs google-java-format on every Java file below the given folders, with the JDK that runs this
 * program.
 *
 * <p>{@code java Format.java google-java-format.jar check|apply FOLDER...}. The formatter needs
 * access to compiler internals, and does not run on the older JDK that Maven may run on; hence a
 * launcher rather than a Maven plugin.
 */
public final class Format {
  private static final List<String> EXPORTED_PACKAGES =
      List.of("api", "code", "file", "parser", "tree", "util");

  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    for (String name : EXPORTED_PACKAGES) {
      command.add("--add-exports=jdk.compiler/com.sun.tools.javac." + name + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-jar", arguments[0]));
    command.addAll(
        arguments[1].equals("apply")
            ? List.of("--replace")
            : List.of("--dry-run", "--set-exit-if-changed"));
    int options = command.size();
    for (String folder : List.of(arguments).subList(2, arguments.length)) {
      try (var files = Files.walk(Path.of(folder))) {
        files.map(Path::toString).filter(f -> f.endsWith(".java")).sorted().forEach(command::add);
      }
    }
    if (command.size() == options) {
      return;
    }
    int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (exit != 0 && !arguments[1].equals("apply")) {
      System.err.println("The files above are not formatted. Run script/format.");
    }
    System.exit(exit);
  }
}
