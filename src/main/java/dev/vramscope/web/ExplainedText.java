package dev.vramscope.web;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** A text to be explained, from the body of a request or from a file. */
final class ExplainedText {
  /** Logs are long; the message is near their end. */
  static final int MAX_BYTES = 32 << 20;

  /** The bytes in which a file shows that it is no text. */
  private static final int HEAD = 4096;

  private ExplainedText() {}

  /**
   * Reads a text. Bytes that are not UTF-8 become replacement characters: a log may have any. A
   * file with a byte order mark of UTF-16, as PowerShell writes it, is read as that.
   *
   * @throws RefusedRequestException if it is too long, or not a text
   */
  static String read(InputStream in, String where) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw RefusedRequestException.textTooLong(MAX_BYTES >> 20, where);
    }
    Charset charset = charset(bytes);
    if (charset.equals(StandardCharsets.UTF_8)) {
      for (int i = 0; i < Math.min(HEAD, bytes.length); i++) {
        if (bytes[i] == 0 || (i == 0 && bytes[i] == (byte) 0x80)) {
          throw RefusedRequestException.notText(where);
        }
      }
    }
    return new String(bytes, charset);
  }

  private static Charset charset(byte[] bytes) {
    int mark = bytes.length < 2 ? 0 : (bytes[0] & 0xFF) << 8 | (bytes[1] & 0xFF);
    return mark == 0xFFFE || mark == 0xFEFF ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
  }
}
