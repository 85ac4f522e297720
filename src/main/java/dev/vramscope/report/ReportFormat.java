package dev.vramscope.report;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** How a report is written. */
public enum ReportFormat {
  /** One file with everything inside, for a browser or a printer. */
  HTML(".html", "text/html;charset=UTF-8", HtmlWriter::write),
  /** For a terminal. */
  TEXT(".txt", "text/plain;charset=UTF-8", TextWriter::write),
  /** For an issue tracker. */
  MARKDOWN(".md", "text/markdown;charset=UTF-8", MarkdownWriter::write),
  /** For a program. */
  JSON(".json", "application/json", JsonWriter::write);

  private final String extension;
  private final String mediaType;
  private final Function<Report, String> writer;

  ReportFormat(String extension, String mediaType, Function<Report, String> writer) {
    this.extension = extension;
    this.mediaType = mediaType;
    this.writer = writer;
  }

  /** The format with this name in URLs and options. */
  public static Optional<ReportFormat> of(String id) {
    return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst();
  }

  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The extension of a file, with its dot. */
  public String extension() {
    return extension;
  }

  public String mediaType() {
    return mediaType;
  }

  /** The whole document. */
  public String write(Report report) {
    return writer.apply(report);
  }
}
