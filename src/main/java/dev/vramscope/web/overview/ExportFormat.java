package dev.vramscope.web.overview;

import dev.vramscope.format.export.CsvWriter;
import dev.vramscope.format.export.ExportSizes;
import dev.vramscope.format.export.JsonLinesWriter;
import dev.vramscope.format.export.ParquetWriter;
import dev.vramscope.format.export.TorchPickleWriter;
import dev.vramscope.format.export.perfetto.PerfettoWriter;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.Snapshot;
import dev.vramscope.web.display.DownloadName;
import dev.vramscope.web.problem.RefusedRequestException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A format in which a stored snapshot can be downloaded. */
public enum ExportFormat {
  TORCH(
      "PyTorch pickle",
      "the whole snapshot, for PyTorch’s own viewer and _memory_viz.py",
      ".pickle",
      "application/octet-stream"),
  PERFETTO(
      "Perfetto trace",
      "memory over time and the largest allocations, for ui.perfetto.dev",
      ".pftrace",
      "application/octet-stream"),
  PARQUET(
      "Parquet",
      "the events with their stacks, for DuckDB, pandas, Polars or Spark",
      ".parquet",
      "application/vnd.apache.parquet"),
  JSONL(
      "JSON lines",
      "the events, one object a line with its whole stack, for jq or a script",
      ".jsonl",
      "application/x-ndjson"),
  CSV(
      "CSV",
      "the events, one a row with its whole stack, for a spreadsheet",
      ".csv",
      "text/csv;charset=UTF-8");

  private final String label;
  private final String use;
  private final String extension;
  private final String mediaType;

  ExportFormat(String label, String use, String extension, String mediaType) {
    this.label = label;
    this.use = use;
    this.extension = extension;
    this.mediaType = mediaType;
  }

  /** Those that have something of a snapshot: one without events has no rows in the tables. */
  static List<ExportFormat> of(Snapshot snapshot) {
    return Arrays.stream(values())
        .filter(format -> snapshot.eventCount() > 0 || !format.isTableOfEvents())
        .filter(format -> format != TORCH || !snapshot.isOfXla())
        .toList();
  }

  private boolean isTableOfEvents() {
    return switch (this) {
      case PARQUET, JSONL, CSV -> true;
      case TORCH, PERFETTO -> false;
    };
  }

  static ExportFormat of(String id) {
    return Arrays.stream(values())
        .filter(format -> format.id().equals(id))
        .findFirst()
        .orElseThrow(() -> RefusedRequestException.badParameter("format", id, allIds()));
  }

  private static String allIds() {
    return Arrays.stream(values()).map(ExportFormat::id).collect(Collectors.joining(", "));
  }

  /** Its name in URLs. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its name on pages. */
  public String label() {
    return label;
  }

  /** What it contains and who reads it. */
  public String use() {
    return use;
  }

  public String mediaType() {
    return mediaType;
  }

  /** The name of the file of a snapshot. */
  DownloadName downloadName(String snapshot) {
    return DownloadName.ofExport(snapshot, extension);
  }

  /** About how many bytes a snapshot has in each format. */
  static Map<ExportFormat, Long> estimatedBytes(Snapshot snapshot) {
    ExportSizes sizes = ExportSizes.of(snapshot);
    Map<ExportFormat, Long> bytes = new EnumMap<>(ExportFormat.class);
    for (ExportFormat format : of(snapshot)) {
      bytes.put(format, format.estimatedBytes(sizes));
    }
    return bytes;
  }

  /** About how many bytes {@link #write} writes. */
  long estimatedBytes(ExportSizes sizes) {
    return switch (this) {
      case TORCH -> sizes.torchPickle();
      case PERFETTO -> sizes.perfetto(ExportTimelines.MAX_ALLOCATIONS);
      case PARQUET -> sizes.parquet();
      case JSONL -> sizes.jsonLines();
      case CSV -> sizes.csv();
    };
  }

  /** Writes the events and the state of some devices of a snapshot. */
  void write(SnapshotInspection loaded, List<DeviceInspection> devices, OutputStream out)
      throws IOException {
    switch (this) {
      case TORCH -> TorchPickleWriter.write(loaded.snapshotOf(devices), out);
      case PERFETTO ->
          PerfettoWriter.write(
              loaded.snapshot(),
              devices.stream().map(DeviceInspection::device).toList(),
              device -> ExportTimelines.of(loaded, devices.get(device)),
              out);
      case PARQUET -> ParquetWriter.write(loaded.snapshotOf(devices), out);
      case JSONL -> JsonLinesWriter.write(loaded.snapshotOf(devices), out);
      case CSV -> CsvWriter.write(loaded.snapshotOf(devices), out);
    }
  }
}
