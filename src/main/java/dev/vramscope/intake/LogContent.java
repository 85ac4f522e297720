package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The text of a log, compressed or not. It is decompressed up to a limit and no further. */
public final class LogContent {
  /** Logs are long; the message is near their end. */
  public static final int MAX_BYTES = 32 << 20;

  private static final int BUFFER = 1 << 16;

  private LogContent() {}

  /**
   * Reads a text. A compressed log that ends early has the text up to there: logs of programs that
   * were killed do.
   *
   * @throws FormatException if it is too long, damaged, or no text
   */
  public static String read(InputStream in) throws IOException, FormatException {
    try {
      PushbackInputStream raw = new PushbackInputStream(in, FormatSniffer.HEAD);
      CompressionFormat compression = CompressionFormat.of(raw);
      return text(
          compression == CompressionFormat.NONE
              ? raw.readNBytes(MAX_BYTES + 1)
              : decompressed(compression, raw));
    } catch (RejectedContentException rejected) {
      throw rejected.formatException();
    }
  }

  private static byte[] decompressed(CompressionFormat compression, InputStream raw)
      throws IOException, FormatException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(BUFFER);
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream content = compression.open(raw);
      int length = content.read(buffer);
      while (length >= 0 && out.size() <= MAX_BYTES) {
        out.write(buffer, 0, length);
        length = content.read(buffer);
      }
    } catch (RejectedContentException rejected) {
      throw rejected;
    } catch (EOFException endsEarly) {
      if (out.size() == 0) {
        throw damaged(compression, "it is empty");
      }
    } catch (IOException damaged) {
      throw damaged(compression, String.valueOf(damaged.getMessage()));
    }
    return out.toByteArray();
  }

  private static FormatException damaged(CompressionFormat compression, String why) {
    return new FormatException(
        Reason.MALFORMED,
        "the " + compression.label() + " file is damaged: " + why,
        "compressed file",
        "Compress it again, or use it uncompressed.");
  }

  /**
   * The text of uncompressed bytes. Those that are not UTF-8 become replacement characters: a log
   * may have any. A file with a byte order mark of UTF-16, as PowerShell writes it, is read as
   * that.
   *
   * @throws FormatException if it is too long, or no text
   */
  public static String text(byte[] bytes) throws FormatException {
    if (bytes.length > MAX_BYTES) {
      throw new FormatException(
          Reason.TOO_LARGE,
          "the log has more than " + (MAX_BYTES >> 20) + " MiB",
          "byte " + MAX_BYTES,
          "Cut out the part with the message; tail -c 8000000 takes the end.");
    }
    byte[] head = Arrays.copyOf(bytes, Math.min(bytes.length, FormatSniffer.HEAD));
    requireText(head, bytes);
    Charset charset =
        FormatSniffer.isUtf16(head) ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
    return new String(bytes, charset);
  }

  /** Text is explained whatever it is; of other files, the sniffer knows what they are. */
  private static void requireText(byte[] head, byte[] all) throws FormatException {
    SniffedFormat format;
    try {
      if (head.length == 0) {
        return;
      }
      format = FormatSniffer.sniff(head);
    } catch (FormatException none) {
      if (none.reason() == Reason.TEXT) {
        return;
      }
      throw none;
    }
    boolean isLog = format != SniffedFormat.PROFILER_TRACE && FormatSniffer.isText(head);
    if (isLog) {
      return;
    }
    if (format == SniffedFormat.PROFILE) {
      readProfile(all); // Only the reader knows whether it is one of device memory.
    }
    throw new FormatException(
        Reason.SNAPSHOT, "this is no log, but " + format.label(), "byte 0", "");
  }

  private static void readProfile(byte[] all) throws FormatException {
    try {
      SniffedFormat.PROFILE.read(new ByteArrayInputStream(all), ReadLimits.defaults());
    } catch (IOException damaged) {
      throw new FormatException(
          Reason.MALFORMED,
          "the profile is damaged: " + damaged.getMessage(),
          "byte 0",
          "Write it again.");
    }
  }
}
