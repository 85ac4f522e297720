package dev.vramscope.format.hlo;

import dev.vramscope.format.BoundedLines;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The lines of all files of a text, with the position for messages and one limit for all parts. */
final class HloLines {
  /** A line of an instruction with a large constant or many operands. */
  private static final int MAX_LINE = 1 << 20;

  private final BoundedLines text;
  private final int maxParts;
  private long line;
  private int parts;
  private String file = "";
  private @Nullable String pushedBack;

  HloLines(InputStream in, ReadLimits limits) {
    text = new BoundedLines(new InputStreamReader(in, StandardCharsets.UTF_8), MAX_LINE);
    maxParts = Math.min(limits.maxBlocks(), limits.maxFrames());
  }

  /** The next line of the current file; null at its end. */
  @Nullable String next() throws IOException {
    String next = any();
    if (next != null && (FileNames.separated(next) != null || isHead(next))) {
      pushedBack = next;
      line--;
      return null;
    }
    return next;
  }

  /** The next line, whatever it is; null at the end of the text. */
  @Nullable String any() throws IOException {
    String next = pushedBack == null ? text.next() : pushedBack;
    pushedBack = null;
    line++;
    return next;
  }

  /** Files may follow each other without a separator, as {@code cat} joins them. */
  private static boolean isHead(String line) {
    return line.startsWith("BufferAssignment:")
        || line.startsWith("HloLiveRange (max")
        || line.startsWith("HloModule ");
  }

  void setFile(String name) {
    file = name;
    line = 0;
  }

  String file() {
    return file;
  }

  /** Counts a part that is kept in memory. */
  void count() throws FormatException {
    if (++parts > maxParts) {
      throw new FormatException(
          Reason.TOO_LARGE,
          "the text has more than " + maxParts + " buffers, live ranges and instructions",
          where(),
          "Upload the files of one module, or give the service more heap.");
    }
  }

  FormatException malformed(String what) {
    return new FormatException(
        Reason.MALFORMED, what, where(), "Upload the file as XLA wrote it, with all its lines.");
  }

  private String where() {
    return (file.isEmpty() ? "" : file + ", ") + "line " + line;
  }
}
