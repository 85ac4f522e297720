package dev.vramscope.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** NVIDIA's headers and compilers; a test that needs a missing one is skipped. */
record NvidiaTools(Path headers) {
  static NvidiaTools withHeader(String name) {
    String home = System.getenv("CUDA_HOME");
    List<Path> folders =
        Stream.of(home == null ? "" : home + "/include", "/usr/local/cuda/include", "/usr/include")
            .filter(folder -> !folder.isEmpty())
            .map(Path::of)
            .toList();
    Path found =
        folders.stream()
            .filter(folder -> Files.exists(folder.resolve(name)))
            .findFirst()
            .orElse(null);
    Assumptions.assumeTrue(found != null, () -> "skipped: there is no " + name + " in " + folders);
    withCommand("g++");
    withCommand("gcc");
    return new NvidiaTools(found);
  }

  static NvidiaTools withCommand(String command) {
    boolean found =
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
    Assumptions.assumeTrue(found, () -> "skipped: " + command + " is not installed");
    return new NvidiaTools(Path.of("/usr/include"));
  }

  /** Compiles a C++ program, and returns the lines {@code NAME=VALUE} that it prints. */
  Map<String, String> compileAndRun(Path folder, List<String> lines) throws Exception {
    Path source = Files.write(folder.resolve("check.cpp"), lines);
    Path program = folder.resolve("check");
    run(
        folder,
        "g++",
        "-std=c++20",
        "-I" + headers,
        "-fmax-errors=20",
        source.toString(),
        "-o",
        program.toString());
    Map<String, String> printed = new LinkedHashMap<>();
    run(folder, program.toString())
        .lines()
        .filter(line -> line.contains("="))
        .forEach(line -> printed.put(line.split("=")[0], line.split("=")[1]));
    return printed;
  }

  /** The architectures from 7.5 to 12.x that the assembler supports, without variants. */
  List<String> assemblerTargets() throws Exception {
    return new ArrayList<>(
        new TreeSet<>(
            Pattern.compile("'(sm_(?:7[5-9]|[89]\\d|1[0-2]\\d))'")
                .matcher(run(Path.of("."), "ptxas", "--help"))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList()));
  }

  /** Runs a command to its end, which must be a success, and returns its output. */
  String run(Path folder, String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder.toAbsolutePath(), "output", ".txt");
    int status =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start()
            .waitFor();
    String text = Files.readString(output, StandardCharsets.UTF_8);
    Files.delete(output);
    assertEquals(0, status, () -> String.join(" ", command) + "\n" + text);
    return text;
  }
}
