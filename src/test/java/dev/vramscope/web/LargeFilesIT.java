package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.format.export.LargeFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of which one count is large, all others small, in a heap of 512 MiB: whatever is made from
 * a file takes memory and time in proportion to what it holds. With {@code -Dlarge.count=1000000},
 * a million of each (see docs/reliability.md).
 */
class LargeFilesIT {
  private static final String HEAP = "-Xmx512m";
  private static final int SIZE = Integer.getInteger("large.count", 20_000);

  /** In processor time, which other processes on the machine do not change much. */
  private static final long MOST_MILLIS = 10_000 + SIZE / 20L;

  /** What the service keeps of a file, for each of what there are many of. */
  private static final long MOST_BYTES = 24L << 20;

  private static final long MOST_BYTES_EACH = 420;

  private static final long MOST_SECONDS = 300 + SIZE / 400L;

  /** More than any machine or program has. */
  private static final List<LargeFile.Count> REFUSED =
      List.of(LargeFile.Count.DEVICES, LargeFile.Count.SETTINGS, LargeFile.Count.FINDINGS);

  /** A million of them. */
  private static final Set<LargeFile.Count> LARGER_THAN_THE_HEAP =
      Set.of(
          LargeFile.Count.SEGMENTS,
          LargeFile.Count.HOST_SEGMENTS,
          LargeFile.Count.POOLS,
          LargeFile.Count.STREAMS,
          LargeFile.Count.POOLS_AND_STREAMS,
          LargeFile.Count.ACQUIRED_POOLS_AND_STREAMS,
          LargeFile.Count.EXPANDABLE_SEGMENTS,
          LargeFile.Count.EXPANDABLE_STREAMS,
          LargeFile.Count.FRAMES,
          LargeFile.Count.PROFILE_LOCATIONS);

  @TempDir Path folder;

  private record Line(long cpuMillis, long heapBytes, String outcome) {}

  @Test
  void memoryAndTimeFollowTheFile() throws Exception {
    Map<LargeFile.Count, Line> lines = analyses();
    SoftAssertions all = new SoftAssertions();
    lines.forEach((count, line) -> check(all, count, line));
    all.assertThat(lines).hasSize(LargeFile.Count.values().length);
    all.assertAll();
  }

  private static void check(SoftAssertions all, LargeFile.Count count, Line line) {
    all.assertThat(line.cpuMillis).as("milliseconds of %s", count).isLessThan(MOST_MILLIS);
    all.assertThat(line.heapBytes)
        .as("heap of %s", count)
        .isLessThan(MOST_BYTES + SIZE * MOST_BYTES_EACH);
    if (REFUSED.contains(count)) {
      all.assertThat(line.outcome)
          .as("outcome of %s", count)
          .startsWith("refused: more than ")
          .endsWith("PyTorch writes fewer; check the program that wrote or changed the file.");
    } else if (isMoreThanTheHeapHolds(count)) {
      all.assertThat(line.outcome)
          .as("outcome of %s", count)
          .startsWith("refused: ")
          .contains("more than ", " MiB of heap")
          .containsIgnoringCase("start the server with a larger heap");
    } else {
      all.assertThat(line.outcome).as("outcome of %s", count).isEqualTo("answered");
    }
  }

  /** A million segments are two terabytes. */
  private static boolean isMoreThanTheHeapHolds(LargeFile.Count count) {
    return SIZE >= 1_000_000 && LARGER_THAN_THE_HEAP.contains(count);
  }

  /** Analyses all files in a process of their own, and prints what it prints. */
  private Map<LargeFile.Count, Line> analyses() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(HEAP, "--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(LargeFileAnalyses.class.getName());
    command.add(folder.toString());
    command.add(String.valueOf(SIZE));
    Arrays.stream(LargeFile.Count.values()).map(Enum::name).forEach(command::add);
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).as("in time").isTrue();
    } finally {
      process.destroyForcibly();
      System.out.print(Files.readString(output));
    }
    assertThat(process.exitValue()).isZero();
    Map<LargeFile.Count, Line> lines = new EnumMap<>(LargeFile.Count.class);
    for (String line : Files.readAllLines(output)) {
      String[] parts = line.split(" ", 4);
      lines.put(
          LargeFile.Count.valueOf(parts[0]),
          new Line(Long.parseLong(parts[1]), Long.parseLong(parts[2]) << 20, parts[3]));
    }
    return lines;
  }
}
