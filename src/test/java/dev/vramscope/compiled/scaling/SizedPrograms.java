package dev.vramscope.compiled.scaling;

import dev.vramscope.TestData;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.MemoryStatistics;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.hlo.CompiledTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Programs at several values: those of {@code xla/jax_sizes}, and some with given sums. */
final class SizedPrograms {
  private static final long[] SIZES = {4, 8, 16, 32, 64, 128, 256};

  private SizedPrograms() {}

  /** The seven programs of a function of JAX, with their buffers. */
  static List<SizedProgram> ofDump(String function) throws IOException, FormatException {
    List<Path> files = TestData.files("xla/jax_sizes");
    List<SizedProgram> programs = new ArrayList<>();
    for (long value : SIZES) {
      List<Path> ofValue =
          files.stream()
              .filter(file -> file.toString().contains(".jit_" + function + value + "."))
              .toList();
      CompiledProgram program =
          CompiledTexts.read(CompiledTexts.joined(ofValue)).programs().getFirst();
      programs.add(new SizedProgram(program.name(), value, program));
    }
    return programs;
  }

  /** The same with their sums only. */
  static List<SizedProgram> ofSums(String function) throws IOException, FormatException {
    String text = Files.readString(TestData.file("xla/jax_sizes/" + function + ".txt"));
    List<SizedProgram> programs = new ArrayList<>();
    for (CompiledProgram each : CompiledTexts.read(text).programs()) {
      long value = Long.parseLong(each.name().replaceAll("\\D", ""));
      programs.add(new SizedProgram(each.name(), value, each));
    }
    return programs;
  }

  /** A program with temporary memory only. */
  static SizedProgram withTemporary(String name, long value, long temporaryBytes) {
    return new SizedProgram(
        name,
        value,
        withSums(name, Map.of("argument", 0L, "output", 0L, "alias", 0L, "temp", temporaryBytes)));
  }

  static CompiledProgram withSums(String name, Map<String, Long> sums) {
    return new CompiledProgram(
        name,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(new MemoryStatistics(sums)),
        Map.of(),
        List.of());
  }
}
