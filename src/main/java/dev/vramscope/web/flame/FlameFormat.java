package dev.vramscope.web.flame;

import dev.vramscope.format.export.FoldedWriter;
import dev.vramscope.format.export.PprofWriter;
import dev.vramscope.format.export.SpeedscopeWriter;
import dev.vramscope.format.export.StackAmounts;
import dev.vramscope.web.display.DownloadName;
import dev.vramscope.web.problem.RefusedRequestException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A format in which memory by call stack can be downloaded. */
public enum FlameFormat {
  FOLDED("Folded stacks", "for flamegraph.pl and inferno", ".folded", "text/plain;charset=UTF-8"),
  SPEEDSCOPE("speedscope", "for speedscope.app", ".speedscope.json", "application/json"),
  PPROF("pprof", "for go tool pprof", ".pb.gz", "application/octet-stream");

  private final String label;
  private final String use;
  private final String extension;
  private final String mediaType;

  FlameFormat(String label, String use, String extension, String mediaType) {
    this.label = label;
    this.use = use;
    this.extension = extension;
    this.mediaType = mediaType;
  }

  static FlameFormat of(String id) {
    return Arrays.stream(values())
        .filter(format -> format.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                RefusedRequestException.badParameter(
                    "format",
                    id,
                    Arrays.stream(values())
                        .map(FlameFormat::id)
                        .collect(Collectors.joining(", "))));
  }

  /** Its name in URLs. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its name on pages. */
  public String label() {
    return label;
  }

  /** Who reads it. */
  public String use() {
    return use;
  }

  String mediaType() {
    return mediaType;
  }

  /** The name of the file of a snapshot. */
  DownloadName downloadName(String snapshot) {
    return DownloadName.ofExport(snapshot, extension);
  }

  void write(StackAmounts amounts, String title, OutputStream out) throws IOException {
    switch (this) {
      case FOLDED -> FoldedWriter.write(amounts, out);
      case SPEEDSCOPE -> SpeedscopeWriter.write(amounts, title, out);
      case PPROF -> PprofWriter.write(amounts, title, out);
    }
  }
}
