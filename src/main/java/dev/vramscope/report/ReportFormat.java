package dev.vramscope.report;

import dev.vramscope.model.VisibleText;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How a report is written. */
public enum ReportFormat {
  /** One file with everything inside, for a browser or a printer. */
  HTML("HTML", ".html", "text/html;charset=UTF-8"),
  /** For a terminal. */
  TEXT("text", ".txt", "text/plain;charset=UTF-8"),
  /** For an issue tracker. */
  MARKDOWN("Markdown", ".md", "text/markdown;charset=UTF-8"),
  /** For a program. */
  JSON("JSON", ".json", "application/json");

  private final String label;
  private final String extension;
  private final String mediaType;

  ReportFormat(String label, String extension, String mediaType) {
    this.label = label;
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

  /** The name for people. */
  public String label() {
    return label;
  }

  /** The extension of a file, with its dot. */
  public String extension() {
    return extension;
  }

  public String mediaType() {
    return mediaType;
  }

  /** The document as a page, with links above it. */
  public static String page(Report report, List<Report.Link> links) {
    return VisibleText.of(HtmlWriter.write(report, links));
  }

  /** The whole document; names and messages in it cannot control what shows it. */
  public String write(Report report) {
    return VisibleText.of(
        switch (this) {
          case HTML -> HtmlWriter.write(report);
          case TEXT -> TextWriter.write(report);
          case MARKDOWN -> MarkdownWriter.write(report);
          case JSON -> JsonWriter.write(report);
        });
  }
}
