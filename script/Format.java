import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs google-java-format over every Java file below the given folders, in a JVM of the same kind.
 *
 * <p>{@code java Format.java google-java-format.jar check|apply FOLDER...}. The formatter needs
 * compiler internals opened, and refuses to run on the older JDK that Maven may have been started
 * with; hence a launcher rather than a Maven plugin.
 */
public final class Format {
  private static final List<String> OPENED =
      List.of("api", "code", "file", "parser", "tree", "util");

  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    for (String name : OPENED) {
      command.add("--add-exports=jdk.compiler/com.sun.tools.javac." + name + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-jar", arguments[0]));
    command.addAll(
        arguments[1].equals("apply")
            ? List.of("--replace")
            : List.of("--dry-run", "--set-exit-if-changed"));
    int fixed = command.size();
    for (String folder : List.of(arguments).subList(2, arguments.length)) {
      try (var files = Files.walk(Path.of(folder))) {
        files.map(Path::toString).filter(f -> f.endsWith(".java")).sorted().forEach(command::add);
      }
    }
    if (command.size() == fixed) {
      return;
    }
    int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (exit != 0 && !arguments[1].equals("apply")) {
      System.err.println("The files above are not formatted. Run script/format.");
    }
    System.exit(exit);
  }
}
