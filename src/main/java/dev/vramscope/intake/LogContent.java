package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** The text of a log, compressed or not, read as a stream. */
public final class LogContent {
  /** Of the uncompressed text. */
  public static final long MAX_BYTES = 1L << 30;

  /** Counters and timelines in JSON are one value, which is read as a whole. */
  static final long MAX_JSON_BYTES = 32L << 20;

  private LogContent() {}

  /**
   * Opens a text. Bytes that are not UTF-8 become replacement characters: a log may have any. A
   * file with a byte order mark of UTF-16, as PowerShell writes it, is read as that. A compressed
   * log that ends early has the text up to there: logs of programs that were killed do.
   *
   * @return characters whose reading throws a {@link RejectedContentException} where the text turns
   *     out to be too long or damaged
   * @throws FormatException if it is damaged, or no text
   */
  public static Reader open(InputStream in) throws IOException, FormatException {
    return open(in, UnaryOperator.identity()).text();
  }

  /** Opens a text, whose uncompressed bytes are copied as they are read. */
  static ReceivedLog open(InputStream in, LogCopy copy) throws IOException, FormatException {
    Opened opened = open(in, copy::copying);
    return new ReceivedLog(opened.text, opened.format, copy);
  }

  private record Opened(Reader text, SniffedFormat format) {}

  private static Opened open(InputStream in, UnaryOperator<InputStream> copying)
      throws IOException, FormatException {
    try {
      PushbackInputStream raw = new PushbackInputStream(in, FormatSniffer.HEAD);
      CompressionFormat compression = CompressionFormat.of(raw);
      LogStream log = new LogStream(compression, raw);
      PushbackInputStream content = new PushbackInputStream(copying.apply(log), FormatSniffer.HEAD);
      byte[] head = content.readNBytes(FormatSniffer.HEAD);
      content.unread(head);
      SniffedFormat format = textFormat(head, content);
      log.limitTo(isOneJsonValue(head) ? MAX_JSON_BYTES : MAX_BYTES);
      Charset charset =
          FormatSniffer.isUtf16(head) ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
      return new Opened(new InputStreamReader(content, charset), format);
    } catch (RejectedContentException rejected) {
      throw rejected.formatException();
    }
  }

  /** The uncompressed bytes, up to where the file ends or is cut off. */
  private static final class LogStream extends InputStream {
    private final CompressionFormat compression;
    private final InputStream content;
    private long maxBytes = MAX_BYTES;
    private long count;

    LogStream(CompressionFormat compression, InputStream raw) throws IOException {
      this.compression = compression;
      content = opened(compression, raw);
    }

    private static InputStream opened(CompressionFormat compression, InputStream raw)
        throws IOException {
      try {
        return compression.open(raw);
      } catch (RejectedContentException rejected) {
        throw rejected;
      } catch (EOFException endsEarly) {
        throw damaged(compression, "it is empty");
      } catch (IOException damaged) {
        throw compression == CompressionFormat.NONE
            ? damaged
            : damaged(compression, String.valueOf(damaged.getMessage()));
      }
    }

    void limitTo(long bytes) {
      maxBytes = bytes;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = readContent(bytes, offset, length);
      count += Math.max(0, read);
      if (count > maxBytes) {
        throw new RejectedContentException(
            Reason.TOO_LARGE,
            "the text has more than " + (maxBytes >> 20) + " MiB",
            "byte " + maxBytes,
            "Send the part with the message; tail -c 8000000 takes the end of a log.");
      }
      return read;
    }

    private int readContent(byte[] bytes, int offset, int length) throws IOException {
      if (compression == CompressionFormat.NONE) {
        return content.read(bytes, offset, length);
      }
      try {
        return content.read(bytes, offset, length);
      } catch (RejectedContentException rejected) {
        throw rejected;
      } catch (EOFException endsEarly) {
        if (count == 0) {
          throw damaged(compression, "it is empty");
        }
        return -1;
      } catch (IOException damaged) {
        throw damaged(compression, String.valueOf(damaged.getMessage()));
      }
    }

    private static RejectedContentException damaged(CompressionFormat compression, String why) {
      return new RejectedContentException(
          Reason.MALFORMED,
          "the " + compression.label() + " file is damaged: " + why,
          "compressed file",
          "Compress it again, or use it uncompressed.");
    }
  }

  /** The format of a file; that of a text without one is a log. */
  static SniffedFormat format(byte[] head) throws FormatException {
    if (head.length == 0) {
      return SniffedFormat.LOG;
    }
    try {
      return FormatSniffer.sniff(head);
    } catch (FormatException none) {
      if (none.reason() == Reason.TEXT) {
        return SniffedFormat.LOG;
      }
      throw none;
    }
  }

  /** A log of JSON objects, one a line, is read as lines. */
  private static boolean isOneJsonValue(byte[] head) {
    String text = new String(head, StandardCharsets.ISO_8859_1);
    boolean isOfLines = text.startsWith("{") && text.matches("(?s)[^\\n]*\\}\\r?\\n\\{.*");
    return FormatSniffer.isJson(head) && !isOfLines;
  }

  /** Text is explained whatever it is; of other files, the sniffer knows what they are. */
  private static SniffedFormat textFormat(byte[] head, InputStream all) throws FormatException {
    SniffedFormat format = format(head);
    boolean isLog = format != SniffedFormat.PROFILER_TRACE && FormatSniffer.isText(head);
    if (isLog || format == SniffedFormat.LOG) {
      return format;
    }
    if (format == SniffedFormat.PROFILE) {
      readProfile(all); // Only the reader knows whether it is one of device memory.
    }
    throw new FormatException(
        Reason.SNAPSHOT, "this is no log, but " + format.label(), "byte 0", "");
  }

  private static void readProfile(InputStream profile) throws FormatException {
    try {
      SniffedFormat.PROFILE.read(profile, ReadLimits.defaults());
    } catch (IOException damaged) {
      throw new FormatException(
          Reason.MALFORMED,
          "the profile is damaged: " + damaged.getMessage(),
          "byte 0",
          "Write it again.");
    }
  }
}
