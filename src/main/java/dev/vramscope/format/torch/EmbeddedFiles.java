package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The files embedded in an HTML page: base64 in JSON strings with the key {@code "base64"}. The
 * page is scanned once, forward; the rest of it is not parsed.
 */
final class EmbeddedFiles {
  private static final byte[] KEY = "\"base64\"".getBytes(StandardCharsets.US_ASCII);
  private static final int END = -1;
  private static final byte NOT_BASE64 = -1;
  private static final byte[] DIGITS = digits();

  private final InputStream page;
  private final long maxBytes;
  private final byte[] window = new byte[1 << 16];
  private int position;
  private int limit;
  private long passed;
  private boolean inside;

  EmbeddedFiles(InputStream page, ReadLimits limits) {
    this.page = page;
    this.maxBytes = limits.maxBytes();
  }

  /**
   * The page is truncated or is not base64. An I/O error, because pickles are read from a stream.
   */
  static final class BrokenPageException extends IOException {
    private static final long serialVersionUID = 1L;
    private final transient FormatException formatException;

    private BrokenPageException(Reason reason, String what, long offset, String next) {
      super(what);
      formatException = new FormatException(reason, what, "byte " + offset + " of the page", next);
    }

    FormatException formatException() {
      return formatException;
    }
  }

  /** Advances to the next file, skipping the rest of this one; returns false if there is none. */
  boolean next() throws IOException {
    while (inside) {
      inside = !isEnd(nextByte());
    }
    int matched = 0;
    for (int value = nextByte(); value != END; value = nextByte()) {
      // No prefix of the key occurs inside it, so after a mismatch a match can only begin at a
      // quote.
      matched = value == KEY[matched] ? matched + 1 : value == KEY[0] ? 1 : 0;
      if (matched == KEY.length) {
        inside = nextNonBlankByte() == ':' && nextNonBlankByte() == '"';
        if (inside) {
          return true;
        }
        matched = 0;
      }
    }
    return false;
  }

  /** The decoded content of the current file. */
  InputStream file() {
    return new InputStream() {
      private final byte[] one = new byte[1];
      private int bits;
      private int bitCount;

      @Override
      public int read() throws IOException {
        return read(one, 0, 1) < 0 ? END : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        int count = 0;
        while (count < length && inside) {
          int value = nextByte();
          if (value == END) {
            throw new BrokenPageException(
                Reason.TRUNCATED,
                "the page ends inside the embedded file",
                offset(),
                "It was truncated while being written or copied; copy it again.");
          }
          if (isEnd(value)) {
            inside = false;
          } else if (value != '=' && value != '\\') {
            byte digit = value < DIGITS.length ? DIGITS[value] : NOT_BASE64;
            if (digit == NOT_BASE64) {
              throw new BrokenPageException(
                  Reason.MALFORMED,
                  "the embedded file is not valid base64",
                  offset() - 1,
                  "Write the page again with _memory_viz.py trace_plot.");
            }
            bits = bits << 6 | digit;
            bitCount += 6;
            if (bitCount >= 8) {
              bitCount -= 8;
              target[offset + count++] = (byte) (bits >> bitCount);
            }
          }
        }
        return count == 0 && length > 0 ? END : count;
      }
    };
  }

  private static boolean isEnd(int value) {
    return value == '"' || value == END;
  }

  private int nextNonBlankByte() throws IOException {
    int value = nextByte();
    while (value != END && Character.isWhitespace(value)) {
      value = nextByte();
    }
    return value;
  }

  private int nextByte() throws IOException {
    if (position == limit) {
      passed += limit;
      position = 0;
      limit = Math.max(page.read(window, 0, window.length), 0);
      if (limit == 0) {
        return END;
      }
      if (offset() > maxBytes) {
        throw new BrokenPageException(
            Reason.TOO_LARGE,
            "the page has more than " + maxBytes + " bytes",
            offset(),
            "Raise vramscope.limits.max-uncompressed.");
      }
    }
    return window[position++] & 0xFF;
  }

  private long offset() {
    return passed + position;
  }

  private static byte[] digits() {
    byte[] digits = new byte[128];
    Arrays.fill(digits, NOT_BASE64);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < alphabet.length(); i++) {
      digits[alphabet.charAt(i)] = (byte) i;
    }
    return digits;
  }
}
