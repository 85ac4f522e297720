package dev.vramscope.web.display;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Locale;
import org.springframework.web.util.UriUtils;

/**
 * The file name of a download: the snapshot's name without characters of paths and headers, and
 * with the extension of the content.
 */
public record DownloadName(String fileName) {
  /** Longer names are cut: file systems allow 255 bytes with the extension. */
  private static final int MAX_BYTES = 200;

  /** The extensions that uploads may have besides that of their content. */
  private static final List<String> COMPRESSED = List.of(".gz", ".zst", ".zip");

  /** The endings of all formats, read and written: an export has only its own. */
  private static final List<String> KNOWN =
      List.of(
          ".gz",
          ".zst",
          ".zip",
          ".json",
          ".html",
          ".htm",
          ".pkl",
          ".p",
          ".pickle",
          ".pftrace",
          ".parquet",
          ".jsonl",
          ".csv",
          ".folded",
          ".speedscope",
          ".pb");

  private static final List<String> PICKLE = List.of(".pickle", ".pkl", ".p");
  private static final List<String> JSON = List.of(".json");
  private static final List<String> HTML = List.of(".html", ".htm");

  /** The name of an uncompressed original file of a detected format. */
  public static DownloadName ofOriginal(String name, String format) {
    List<String> usual = format.contains("HTML") ? HTML : format.contains("JSON") ? JSON : PICKLE;
    return of(name, usual, COMPRESSED);
  }

  /** The name of an exported snapshot. */
  public static DownloadName ofExport(String name, String extension) {
    return of(name, List.of(extension), KNOWN);
  }

  /** The name without the dropped extensions, with the first of the usual ones if it has none. */
  private static DownloadName of(String name, List<String> usual, List<String> dropped) {
    String base = withoutExtensions(name, dropped);
    String extension = extension(base, usual);
    base = base.substring(0, base.length() - extension.length());
    base = base.replaceAll("[^\\p{L}\\p{M}\\p{N}._+=@ -]+", "_").replaceAll("^[. ]+", "").strip();
    while (base.getBytes(UTF_8).length > MAX_BYTES) {
      base = base.substring(0, base.offsetByCodePoints(base.length(), -1));
    }
    return new DownloadName(
        (base.isEmpty() ? "snapshot" : base)
            + (extension.isEmpty() ? usual.getFirst() : extension));
  }

  private static String withoutExtensions(String name, List<String> dropped) {
    String base = name.strip();
    for (String ending = extension(base, dropped);
        !ending.isEmpty();
        ending = extension(base, dropped)) {
      base = base.substring(0, base.length() - ending.length());
    }
    return base;
  }

  private static String extension(String name, List<String> extensions) {
    String lower = name.toLowerCase(Locale.ROOT);
    return extensions.stream()
        .filter(lower::endsWith)
        .findFirst()
        .map(ending -> name.substring(name.length() - ending.length()))
        .orElse("");
  }

  /**
   * The value of {@code Content-Disposition}. RFC 6266: {@code filename} is for clients that do not
   * know {@code filename*} (RFC 5987), such as curl.
   */
  public String header() {
    String ascii = fileName.replaceAll("[^\\x20-\\x7e]", "_");
    String plain = "attachment; filename=\"" + ascii + "\"";
    return ascii.equals(fileName)
        ? plain
        : plain + "; filename*=UTF-8''" + UriUtils.encode(fileName, UTF_8);
  }
}
