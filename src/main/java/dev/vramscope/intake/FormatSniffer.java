package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.bfclog.VerboseLogReader;
import dev.vramscope.format.hlo.CompiledTextReader;
import dev.vramscope.format.plot.PlotPageReader;
import dev.vramscope.format.rmm.RmmLogReader;
import dev.vramscope.format.xla.BfcDumpReader;
import dev.vramscope.format.xplane.XplaneReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Detects a file's format from its first bytes, never from its name: pickles are found with the
 * extension {@code .json}, and login pages with {@code .pickle}.
 */
final class FormatSniffer {
  /** The number of bytes examined. */
  static final int HEAD = 4096;

  private static final String UNSUPPORTED =
      "A snapshot is a pickle written by torch.cuda.memory._dump_snapshot(file), the same as JSON,"
          + " an HTML page written by _memory_viz.py, a device memory profile of JAX, or a"
          + " text that XLA writes about a compiled program.";

  /** Unsupported file types by their first bytes, in hex. */
  private static final Map<String, String> MAGIC_NUMBERS =
      Map.ofEntries(
          Map.entry("89504e47", "a PNG image"),
          Map.entry("ffd8ff", "a JPEG image"),
          Map.entry("47494638", "a GIF image"),
          Map.entry("25504446", "a PDF document"),
          Map.entry("7f454c46", "an ELF executable or library"),
          Map.entry("cafebabe", "a Java class file or a Mach-O binary"),
          Map.entry(
              "425a68", "a bzip2 file; the supported compression formats are gzip, zstd and zip"),
          Map.entry(
              "fd377a585a00",
              "an xz file; the supported compression formats are gzip, zstd and zip"),
          Map.entry(
              "377abcaf271c",
              "a 7-Zip file; the supported compression formats are gzip, zstd and zip"),
          Map.entry(
              "04224d18", "an lz4 file; the supported compression formats are gzip, zstd and zip"),
          Map.entry("894844460d0a1a0a", "an HDF5 file"),
          Map.entry("50415231", "a Parquet file"),
          Map.entry(
              "53514c69746520666f726d6174",
              "an SQLite database, such as an Nsight Systems export"));

  // Protocols 0 and 1 have no magic number. The reader rejects them and names the opcode. Logs
  // begin
  // with the same letters: "I1126 15:14:58" of absl, "(pid=1)" of Ray, "Python" alone in a line.
  private static final Pattern OLD_PICKLE =
      Pattern.compile(
          "c[\\w.]+\\n"
              + "[\\w.]+\\n"
              + "|\\((?:[SV]['\"]|I-?\\d+\\n"
              + "|[dlt](?:p\\d+\\n"
              + "|\\.)|[ci][\\w.]+\\n"
              + "|[(\\]}])|P\\S+\\n"
              + "[.(\\]}]|[IL]-?\\d+L?(?:\\n"
              + "|$)|[\\]})]q?");

  /** Counters of {@code memory_stats()}, flat or nested. */
  private static final Pattern STATS =
      Pattern.compile("\\.all\\.(?:current|peak|allocated)\"|_bytes\": \\{\\s*\"all\": \\{");

  /** The head that only XProf writes, or a process with the name of a plane. */
  private static final Pattern XPROF_TRACE =
      Pattern.compile(
          "\"highres-ticks\"|\"process_name\",\\s*\"args\":\\s*\\{\"name\":\\s*\"/(?:host|device):");

  /** A list of numbers, or of lists of numbers. */
  private static final Pattern PROFILER_TIMELINE = Pattern.compile("\\[\\s*\\[\\s*-?[0-9]");

  /** Backspace, tabulator, line feed, form feed, carriage return and escape. */
  private static final String CONTROLS_OF_TEXT = "\b\t\n\f\r\u001b";

  /** A log has fewer other control characters than one in this many. */
  private static final int MAX_CONTROL_SHARE = 20;

  private FormatSniffer() {}

  /**
   * The format of a file that begins with these bytes.
   *
   * @throws FormatException if the format is not supported, with a guess at what the file is
   */
  static SniffedFormat sniff(byte[] head) throws FormatException {
    if (head.length == 0) {
      throw rejection(
          "the file is empty", "byte 0", "Check whether the program that wrote it failed.");
    }
    if (head[0] == (byte) 0x80) {
      return SniffedFormat.PICKLE;
    }
    CompressionFormat inner = CompressionFormat.of(head);
    if (inner != CompressionFormat.NONE) {
      throw rejection(
          "the file is compressed twice: the decompressed file is " + inner.label(),
          "byte 0 of the decompressed file",
          "Compress it once, with gzip, zstd or zip.");
    }
    String text = new String(head, StandardCharsets.ISO_8859_1);
    String trimmed = trimmed(text);
    if (isText(head) && CompiledTextReader.isOne(trimmed)) {
      return SniffedFormat.COMPILED;
    }
    if (isJson(trimmed)) {
      rejectXprofTrace(trimmed);
      rejectOtherJson(trimmed);
      return isProfilerTrace(trimmed) ? SniffedFormat.PROFILER_TRACE : SniffedFormat.JSON;
    }
    if (isHtml(trimmed) && text.contains("data:image/png;base64")) {
      throw rejection(
          "this page has a picture instead of data, as export_memory_timeline of torch.profiler"
              + " writes it",
          "byte 0",
          "Export the timeline as .json or .raw.json, which has the data, or take a snapshot.");
    }
    if (isHtml(trimmed)) {
      return PlotPageReader.MARK.matcher(text).find()
          ? SniffedFormat.PLOT_PAGE
          : SniffedFormat.HTML;
    }
    if (trimmed.startsWith("version https://git-lfs.github.com/")) {
      throw rejection(
          "this is a Git LFS pointer, not the file it points to",
          "byte 0",
          "Run git lfs pull, then use the file itself.");
    }
    if (OLD_PICKLE.matcher(text).lookingAt()) {
      return SniffedFormat.PICKLE;
    }
    // Before a pprof profile, whose first bytes may be those of a small plane.
    if (XplaneReader.isProfile(head)) {
      return SniffedFormat.XPLANE;
    }
    if (isProfile(head)) {
      return SniffedFormat.PROFILE;
    }
    if (isMemoryDump(head)) {
      return SniffedFormat.MEMORY_DUMP;
    }
    if (isText(head) && RmmLogReader.MARK.matcher(text).find()) {
      return SniffedFormat.RMM_LOG;
    }
    // Before a dump, which such a log may have, too.
    if (isText(head) && VerboseLogReader.MARK.matcher(text).find()) {
      return SniffedFormat.VERBOSE_LOG;
    }
    if (isText(head) && BfcDumpReader.MARK.matcher(text).find()) {
      return SniffedFormat.BFC_DUMP;
    }
    boolean mayBeLog = byMagic(head) == null && mayBeLog(head);
    throw new FormatException(
        mayBeLog ? Reason.TEXT : Reason.NOT_A_SNAPSHOT,
        "this looks like " + guess(head, text),
        "byte 0",
        UNSUPPORTED);
  }

  /** A pprof profile begins with its first sample type: a message with the number of a string. */
  private static boolean isProfile(byte[] head) {
    return head.length > 3 && head[0] == 0x0A && head[1] > 1 && head[1] < 32 && head[2] == 0x08;
  }

  /** A memory dump begins with the name of its allocator. */
  private static boolean isMemoryDump(byte[] head) {
    if (head.length < 4 || head[0] != 0x0A || head[1] < 1 || 2 + head[1] >= head.length) {
      return false;
    }
    for (int i = 2; i < 2 + head[1]; i++) {
      boolean isOfName = Character.isLetterOrDigit(head[i]) || "_:-/. ".indexOf(head[i]) >= 0;
      if (!isOfName) {
        return false;
      }
    }
    int next = head[2 + head[1]];
    return next == 0x12 || next == 0x1A; // A bin or a chunk.
  }

  /** Without a byte order mark and blanks at the beginning. */
  private static String trimmed(String text) {
    return text.replaceFirst("^(\u00EF\u00BB\u00BF)?\\s*", "");
  }

  /** Whether a file that begins with these bytes is JSON, and not a log. */
  static boolean isJson(byte[] head) {
    return isJson(trimmed(new String(head, StandardCharsets.ISO_8859_1)));
  }

  private static boolean isJson(String text) {
    // The character after the bracket distinguishes JSON from a log line such as "[rank0]: …".
    return text.matches("(?s)\\{\\s*[\"}].*|\\[\\s*[\\[{\\]].*");
  }

  /** JSON of PyTorch that is no snapshot, and where to go with it. */
  private static void rejectOtherJson(String text) throws FormatException {
    if (STATS.matcher(text).find()) {
      throw new FormatException(
          Reason.TEXT,
          "these are the counters of torch.cuda.memory_stats(), not a snapshot",
          "byte 0",
          "");
    }
    if (PROFILER_TIMELINE.matcher(text).lookingAt()) {
      throw new FormatException(
          Reason.TEXT,
          "this is a memory timeline of torch.profiler, not a snapshot",
          "byte 0",
          "It has totals by category, and neither addresses nor stacks.");
    }
  }

  /** XProf writes this for its trace viewer, beside the profile that it is made from. */
  private static void rejectXprofTrace(String text) throws FormatException {
    if (XPROF_TRACE.matcher(text).find() && !text.contains("\"schemaVersion\"")) {
      throw rejection(
          "this is a trace for XProf’s trace viewer (*.trace.json.gz), as the profilers of JAX and"
              + " TensorFlow write it; it has no memory events",
          "byte 0",
          "Use the *.xplane.pb beside it, which has them if the allocator of a GPU was in use.");
    }
  }

  private static boolean isHtml(String text) {
    String lower = text.substring(0, Math.min(text.length(), 20)).toLowerCase(Locale.ROOT);
    return Pattern.matches(
        "(?s)<(!doctype html|html|head|body|script|!--|meta|title|style|div).*", lower);
  }

  private static String guess(byte[] head, String text) {
    String magic = byMagic(head);
    if (magic != null) {
      return magic;
    }
    if (text.length() > 262 && text.startsWith("ustar", 257)) {
      return "a tar archive";
    }
    if (isUtf16(head)) {
      return "text in UTF-16";
    }
    if (isText(head)) {
      String lower = text.toLowerCase(Locale.ROOT);
      if (lower.contains("out of memory") || lower.contains("resource_exhausted")) {
        return "an out-of-memory message";
      }
      if (lower.contains("bfc") || lower.contains("in-use chunks")) {
        return "an allocator's log";
      }
      return "text";
    }
    String start = HexFormat.ofDelimiter(" ").formatHex(head, 0, Math.min(8, head.length));
    return head[0] == 0x0A || head[0] == 0x12
        ? "a protocol buffer such as a pprof profile (bytes " + start + ")"
        : "an unknown format (bytes " + start + ")";
  }

  private static @Nullable String byMagic(byte[] head) {
    String start = HexFormat.of().formatHex(head, 0, Math.min(16, head.length));
    for (Map.Entry<String, String> magic : MAGIC_NUMBERS.entrySet()) {
      if (start.startsWith(magic.getKey())) {
        return magic.getValue();
      }
    }
    return null;
  }

  /** Whether there is no byte that a log does not have; terminals write some control characters. */
  static boolean isText(byte[] head) {
    for (byte each : head) {
      if (each >= 0 && each < ' ' && CONTROLS_OF_TEXT.indexOf(each) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether a file begins with a byte order mark of UTF-16, as PowerShell writes it. */
  static boolean isUtf16(byte[] head) {
    int mark = head.length < 2 ? 0 : (head[0] & 0xFF) << 8 | (head[1] & 0xFF);
    return mark == 0xFFFE || mark == 0xFEFF;
  }

  /** Whether it is text but for a few damaged bytes: a log may have any, except NUL. */
  private static boolean mayBeLog(byte[] head) {
    if (isUtf16(head)) {
      return true;
    }
    int controls = 0;
    for (byte each : head) {
      if (each == 0) {
        return false;
      }
      controls += each > 0 && each < ' ' && CONTROLS_OF_TEXT.indexOf(each) < 0 ? 1 : 0;
    }
    return controls <= head.length / MAX_CONTROL_SHARE;
  }

  private static boolean isProfilerTrace(String text) {
    return text.contains("\"schemaVersion\"") || text.contains("\"traceEvents\"");
  }

  private static FormatException rejection(String what, String where, String next) {
    return new FormatException(Reason.NOT_A_SNAPSHOT, what, where, next);
  }
}
