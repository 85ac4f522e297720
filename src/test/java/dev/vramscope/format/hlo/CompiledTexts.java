package dev.vramscope.format.hlo;

import dev.vramscope.compiled.CompiledFile;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Texts of compiled programs, as several files are joined to one. */
public final class CompiledTexts {
  private CompiledTexts() {}

  /** Joins files with their names. */
  public static String joined(List<Path> files) {
    StringBuilder text = new StringBuilder();
    try {
      for (Path file : files) {
        text.append(CompiledTextReader.separator(file.getFileName().toString()))
            .append(Files.readString(file))
            .append('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  public static CompiledFile read(String text) throws FormatException {
    try {
      return CompiledTextReader.read(
          new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), ReadLimits.defaults());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** A program of so many values in one temporary allocation, with the live range of each. */
  public static String large(int values) {
    Random random = new Random(values);
    long slot = 4096;
    int slots = 1000;
    StringBuilder assignment = new StringBuilder("BufferAssignment:\n");
    assignment.append(
        """
        allocation 0: size 4096, parameter 0, shape |f32[1024]| at ShapeIndex {}:
         value: <0 p.0 @0> (size=4096,offset=0): f32[1024]{0}
        """);
    assignment.append("allocation 1: size ").append(slot * slots).append(", preallocated-temp:\n");
    StringBuilder sequence = new StringBuilder("HloLiveRange (max " + values + "):\n");
    sequence.append("  InstructionSequence:\n    0:p.0\n");
    StringBuilder ranges = new StringBuilder("  BufferLiveRange:\n    p.0{}:0-" + values + "\n");
    for (int i = 1; i <= values; i++) {
      assignment
          .append(" value: <" + i + " fusion." + i + " @0> (size=4096,offset=")
          .append(slot * random.nextInt(slots))
          .append("): f32[1024]{0}\n");
      sequence.append("    " + i + ":fusion." + i + "\n");
      ranges.append("    fusion." + i + "{}:" + i + "-" + Math.min(values, i + 1 + i % 300) + "\n");
    }
    return CompiledTextReader.separator(
            "module_0001.jit_f.gpu_after_optimizations-buffer-assignment.txt")
        + assignment
        + CompiledTextReader.separator("module_0001.jit_f.gpu_after_optimizations-live-range.txt")
        + sequence
        + ranges;
  }
}
