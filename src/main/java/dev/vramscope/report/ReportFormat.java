package dev.vramscope.report;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a report is written. */
public enum ReportFormat {
  /** One file with everything inside, for a browser or a printer. */
  HTML(".html", "text/html;charset=UTF-8"),
  /** For a terminal. */
  TEXT(".txt", "text/plain;charset=UTF-8"),
  /** For an issue tracker. */
  MARKDOWN(".md", "text/markdown;charset=UTF-8"),
  /** For a program. */
  JSON(".json", "application/json");

  private final String extension;
  private final String mediaType;

  ReportFormat(String extension, String mediaType) {
    this.extension = extension;
    this.mediaType = mediaType;
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
    return switch (this) {
      case HTML -> HtmlWriter.write(report);
      case TEXT -> TextWriter.write(report);
      case MARKDOWN -> MarkdownWriter.write(report);
      case JSON -> JsonWriter.write(report);
    };
  }
}
