package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says what a file is from its first bytes, never from its name: real pickles are called {@code
 * .json}, and login pages {@code .pickle}.
 */
final class FormatSniffer {
  /** Bytes that are looked at. */
  static final int HEAD = 4096;

  private static final String NEXT =
      "Upload what torch.cuda.memory._dump_snapshot(file) wrote (pickle), the same as JSON, or the"
          + " page of _memory_viz.py.";
  private static final String NOT_YET =
      "Out-of-memory messages, logs, CSV and profiles cannot be" + " read yet. " + NEXT;

  /** Other people's files, by their first bytes. */
  private static final Map<String, String> MAGICS =
      Map.ofEntries(
          Map.entry("89504e47", "a PNG picture"),
          Map.entry("ffd8ff", "a JPEG picture"),
          Map.entry("47494638", "a GIF picture"),
          Map.entry("25504446", "a PDF document"),
          Map.entry("7f454c46", "a program or library (ELF)"),
          Map.entry("cafebabe", "a program or a Java class"),
          Map.entry("425a68", "a bzip2 file, which is not unpacked here; gzip, zstd and zip are"),
          Map.entry(
              "fd377a585a00", "an xz file, which is not unpacked here; gzip, zstd and zip are"),
          Map.entry(
              "377abcaf271c", "a 7-Zip file, which is not unpacked here; gzip, zstd and zip are"),
          Map.entry("04224d18", "an lz4 file, which is not unpacked here; gzip, zstd and zip are"),
          Map.entry("894844460d0a1a0a", "an HDF5 file"),
          Map.entry("50415231", "a Parquet file"),
          Map.entry(
              "53514c69746520666f726d6174", "an SQLite database, as Nsight Systems exports it"));

  // Protocols 0 and 1 have no first byte of their own. The reader refuses them, and by which
  // opcode.
  private static final Pattern OLD_PICKLE =
      Pattern.compile("c[\\w.]+\\n[\\w.]+\\n|\\([SVIclp(\\]}t]|P\\S+\\n|[IL]-?\\d|\\(?[\\]})]q?");

  private FormatSniffer() {}

  /**
   * The format of a file that begins so.
   *
   * @throws FormatException when nothing here reads it; it says what the file looks like
   */
  static SniffedFormat sniff(byte[] head) throws FormatException {
    if (head.length == 0) {
      throw refusal(
          "the file is empty", "byte 0", "Look whether the program that wrote it failed.");
    }
    if (head[0] == (byte) 0x80) {
      return SniffedFormat.PICKLE;
    }
    Envelope inner = Envelope.of(head);
    if (inner != Envelope.NONE) {
      throw refusal(
          "the file is compressed twice; inside the first layer is " + inner.word(),
          "byte 0 of the unpacked file",
          "Compress it once: with gzip, zstd or zip.");
    }
    String text = new String(head, StandardCharsets.ISO_8859_1);
    String trimmed = text.replaceFirst("^(\u00EF\u00BB\u00BF)?\\s*", "");
    if (isJson(trimmed)) {
      return SniffedFormat.JSON;
    }
    if (isHtml(trimmed)) {
      return SniffedFormat.HTML;
    }
    if (trimmed.startsWith("version https://git-lfs.github.com/")) {
      throw refusal(
          "this is a Git LFS pointer, not the file it points to",
          "byte 0",
          "Fetch the file itself with git lfs pull, and upload that.");
    }
    if (OLD_PICKLE.matcher(text).lookingAt()) {
      return SniffedFormat.PICKLE;
    }
    throw refusal("this looks like " + look(head, text), "byte 0", NOT_YET);
  }

  private static boolean isJson(String text) {
    // What follows the bracket tells JSON from a log line such as "[rank0]: …".
    return text.matches("(?s)\\{\\s*[\"}].*|\\[\\s*[\\[{\\]].*");
  }

  private static boolean isHtml(String text) {
    String lower = text.substring(0, Math.min(text.length(), 20)).toLowerCase(Locale.ROOT);
    return Pattern.matches(
        "(?s)<(!doctype html|html|head|body|script|!--|meta|title|style|div).*", lower);
  }

  private static String look(byte[] head, String text) {
    String magic = byMagic(head);
    if (magic != null) {
      return magic;
    }
    if (text.length() > 262 && text.startsWith("ustar", 257)) {
      return "a tar archive";
    }
    if (isText(head)) {
      String lower = text.toLowerCase(Locale.ROOT);
      if (lower.contains("out of memory") || lower.contains("resource_exhausted")) {
        return "an out-of-memory message";
      }
      if (lower.contains("bfc") || lower.contains("in-use chunks")) {
        return "an allocator's log";
      }
      return text.startsWith("Thread,Time,Action") ? "an RMM log (CSV)" : "text";
    }
    String start = HexFormat.ofDelimiter(" ").formatHex(head, 0, Math.min(8, head.length));
    return head[0] == 0x0A || head[0] == 0x12
        ? "a protocol buffer such as a pprof profile (bytes " + start + ")"
        : "nothing that is known here (bytes " + start + ")";
  }

  private static @Nullable String byMagic(byte[] head) {
    String start = HexFormat.of().formatHex(head, 0, Math.min(16, head.length));
    for (Map.Entry<String, String> magic : MAGICS.entrySet()) {
      if (start.startsWith(magic.getKey())) {
        return magic.getValue();
      }
    }
    return null;
  }

  private static boolean isText(byte[] head) {
    for (byte each : head) {
      if (each >= 0 && each < ' ' && each != '\n' && each != '\r' && each != '\t' && each != 27) {
        return false;
      }
    }
    return true;
  }

  private static FormatException refusal(String what, String where, String next) {
    return new FormatException(Reason.NOT_A_SNAPSHOT, what, where, next);
  }
}
