package dev.vramscope.format.pickle;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * UTF-8 as in Python's pickles: a lone surrogate is three bytes ({@code surrogatepass}), which
 * Java's decoder would replace.
 */
public final class Utf8 {
  private static final char REPLACEMENT = '\uFFFD';

  private Utf8() {}

  /** Decodes a string; invalid sequences become U+FFFD. */
  static String decode(byte[] bytes, int from, int to) {
    String plain = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    return plain.indexOf(REPLACEMENT) < 0 ? plain : decodeWithSurrogates(bytes, from, to);
  }

  /** Encodes a string; a lone surrogate becomes the three bytes that Python reads. */
  public static byte[] encode(String text) {
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    return hasLoneSurrogate(text) ? encodeWithSurrogates(text) : plain;
  }

  // Splits the bytes at surrogates (ED A0..BF xx) and decodes the rest with Java's decoder.
  private static String decodeWithSurrogates(byte[] bytes, int from, int to) {
    StringBuilder decoded = new StringBuilder(to - from);
    int start = from;
    for (int at = from; at + 2 < to; at++) {
      if (bytes[at] == (byte) 0xED
          && bytes[at + 1] >= (byte) 0xA0
          && bytes[at + 1] <= (byte) 0xBF
          && (bytes[at + 2] & 0xC0) == 0x80) {
        decoded.append(new String(bytes, start, at - start, StandardCharsets.UTF_8));
        decoded.append((char) (0xD000 | (bytes[at + 1] & 0x3F) << 6 | (bytes[at + 2] & 0x3F)));
        at += 2;
        start = at + 1;
      }
    }
    return decoded.append(new String(bytes, start, to - start, StandardCharsets.UTF_8)).toString();
  }

  private static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSurrogatePair(
            text.charAt(i), i + 1 < text.length() ? text.charAt(i + 1) : 0)) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  private static byte[] encodeWithSurrogates(String text) {
    byte[] encoded = new byte[text.length() * 3];
    int size = 0;
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        encoded[size++] = (byte) 0xED;
        encoded[size++] = (byte) (0x80 | (point >> 6 & 0x3F));
        encoded[size++] = (byte) (0x80 | (point & 0x3F));
      } else {
        byte[] plain = Character.toString(point).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(plain, 0, encoded, size, plain.length);
        size += plain.length;
      }
      i += Character.charCount(point);
    }
    return Arrays.copyOf(encoded, size);
  }
}
