package dev.vramscope.format.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.export.LargeFile.Count;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.Origin;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** The announced sizes beside those of the files. */
class ExportSizesTest {
  /** Smaller files consist of what is counted as a constant. */
  private static final int SMALLEST = 20_000;

  private static final Origin NO_ORIGIN = new Origin("", "", Trace.NO_TIME);

  private interface Export {
    void write(OutputStream out) throws IOException;
  }

  @Test
  void tablesAreEstimatedWithinAFewPercent() throws Exception {
    for (Path file : TestData.snapshots()) {
      Snapshot snapshot = read(file);
      ExportSizes sizes = ExportSizes.of(snapshot);
      long csv = length(out -> CsvWriter.write(snapshot, out));
      assertThat(sizes.csv()).as("%s, CSV", file).isCloseTo(csv, Percentage.withPercentage(10));
      long lines = length(out -> JsonLinesWriter.write(snapshot, out));
      assertThat(sizes.jsonLines())
          .as("%s, JSON lines", file)
          .isCloseTo(lines, Percentage.withPercentage(10));
      assertParquetIsEstimated(file.toString(), snapshot);
    }
  }

  /** Several row groups, and addresses that hardly recur. */
  @Test
  void largeParquetFilesAreEstimatedWithinAFewPercent() throws Exception {
    for (Count count : List.of(Count.EVENTS, Count.STACKS)) {
      ByteArrayOutputStream large = new ByteArrayOutputStream();
      LargeFile.write(count, 300_000, large);
      Snapshot snapshot =
          TorchPickleReader.read(
              new ByteArrayInputStream(large.toByteArray()), ReadLimits.defaults());
      assertParquetIsEstimated(count.toString(), snapshot);
    }
  }

  private static void assertParquetIsEstimated(String what, Snapshot snapshot) throws IOException {
    long parquet = length(out -> ParquetWriter.write(snapshot, out));
    assertThat(ExportSizes.of(snapshot).parquet())
        .as("%s, Parquet", what)
        .isCloseTo(parquet, Percentage.withPercentage(10));
  }

  @Test
  void picklesAreEstimatedWithinAFactorOfTwo() throws Exception {
    for (Path file : TestData.snapshots()) {
      Snapshot snapshot = read(file);
      ExportSizes sizes = ExportSizes.of(snapshot);
      long pickle = length(out -> TorchPickleWriter.write(snapshot, out));
      assertWithinFactor2(file + ", pickle", sizes.torchPickle(), pickle);
    }
  }

  @Test
  void snapshotWithoutEventsHasASize() {
    ExportSizes sizes =
        ExportSizes.of(
            new Snapshot(NO_ORIGIN, Optional.empty(), List.of(), StackTable.EMPTY, List.of()));
    assertThat(sizes.jsonLines()).isZero();
    assertThat(sizes.csv()).isEqualTo(String.join(",", EventRow.COLUMNS).length() + 2);
    assertThat(sizes.perfetto(2_000)).isPositive();
  }

  private static void assertWithinFactor2(String what, long estimated, long actual) {
    if (actual >= SMALLEST) {
      assertThat(estimated).as(what).isBetween(actual / 2, actual * 2);
    }
  }

  private static Snapshot read(Path file) throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      return TorchPickleReader.read(in, ReadLimits.defaults());
    }
  }

  private static long length(Export export) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    export.write(out);
    return out.size();
  }
}
