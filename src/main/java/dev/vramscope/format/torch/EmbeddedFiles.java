package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The files inside an HTML page, as JSON strings in base64 after the key {@code "base64"}. The page
 * is scanned once, forward; nothing else of it is understood.
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

  /** The page broke off or is no base64; an I/O error only to the pickle that is read from it. */
  static final class BrokenPageException extends IOException {
    private static final long serialVersionUID = 1L;
    private final transient FormatException refusal;

    private BrokenPageException(Reason reason, String what, long offset, String next) {
      super(what);
      refusal = new FormatException(reason, what, "byte " + offset + " of the page", next);
    }

    FormatException refusal() {
      return refusal;
    }
  }

  /** Goes to the next file, behind what is left of this one; false when there is none. */
  boolean next() throws IOException {
    while (inside) {
      inside = !isEnd(nextByte());
    }
    int matched = 0;
    for (int value = nextByte(); value != END; value = nextByte()) {
      // No prefix of the key occurs inside it, so a mismatch can only begin anew at a quote.
      matched = value == KEY[matched] ? matched + 1 : value == KEY[0] ? 1 : 0;
      if (matched == KEY.length) {
        inside = nextSolidByte() == ':' && nextSolidByte() == '"';
        if (inside) {
          return true;
        }
        matched = 0;
      }
    }
    return false;
  }

  /** The decoded bytes of the file to which {@link #next} went. */
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
                "It was cut off while being written or copied; copy it again.");
          }
          if (isEnd(value)) {
            inside = false;
          } else if (value != '=' && value != '\\') {
            byte digit = value < DIGITS.length ? DIGITS[value] : NOT_BASE64;
            if (digit == NOT_BASE64) {
              throw new BrokenPageException(
                  Reason.MALFORMED,
                  "the embedded file is not base64",
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

  private int nextSolidByte() throws IOException {
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
            "Raise the upload limit of the server.");
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
