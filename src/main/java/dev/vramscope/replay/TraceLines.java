package dev.vramscope.replay;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The operations of a trace: lines of words separated by blanks. Empty lines and lines that begin
 * with {@code #} are skipped but counted. Words are looked at in place, so that a million lines
 * make no garbage, and each byte once: where words end, what number they are and where a comment
 * begins is found in one pass.
 *
 * <pre>
 *   buffer   ... | the line | more whole lines | a line that was begun | unused
 *            lineStart      nextLine           whole                   filled
 * </pre>
 *
 * A whole line has its newline, also the last one of a file without, so that a search ends there.
 */
final class TraceLines {
  private static final int MAX_WORDS = Long.SIZE;
  private static final int MAX_PLAIN_DIGITS = 18;
  private static final int NONE = -1;

  private final InputStream in;
  private byte[] buffer = new byte[1 << 16];
  private int filled;
  private int whole;
  private int lineStart;
  private int lineEnd;
  private int nextLine;
  private int line;

  /** Where the first {@code #} of the line is, or {@link #NONE}. */
  private int comment;

  private int words;
  private final int[] wordStart = new int[MAX_WORDS];
  private final int[] wordEnd = new int[MAX_WORDS];

  /** One bit for a word of digits only, whose number is kept. */
  private long numeric;

  private final long[] numbers = new long[MAX_WORDS];

  TraceLines(InputStream in) {
    this.in = in;
  }

  /** Steps to the next operation, if there is one. */
  boolean next() throws IOException {
    while (nextLine < whole || refill()) {
      line++;
      lineStart = nextLine;
      split();
      if (words > 0 && buffer[lineStart] != '#') {
        return true;
      }
    }
    return false;
  }

  /**
   * Moves the line that was begun to the front and reads on until it is whole.
   *
   * @return false at the end
   */
  private boolean refill() throws IOException {
    filled -= nextLine;
    System.arraycopy(buffer, nextLine, buffer, 0, filled);
    nextLine = 0;
    whole = 0;
    while (whole == 0) {
      if (filled == buffer.length) {
        buffer = Arrays.copyOf(buffer, 2 * buffer.length);
      }
      int read = in.read(buffer, filled, buffer.length - filled);
      if (read >= 0) {
        whole = behindLastNewline(filled, filled + read);
        filled += read;
      } else if (filled > 0) {
        buffer[filled++] = '\n';
        whole = filled;
      } else {
        return false;
      }
    }
    return true;
  }

  private int behindLastNewline(int from, int to) {
    int at = to;
    while (at > from && buffer[at - 1] != '\n') {
      at--;
    }
    return at > from ? at : 0;
  }

  private void split() {
    words = 0;
    numeric = 0;
    comment = NONE;
    int at = lineStart;
    while (buffer[at] != '\n') {
      at = isBlank(buffer[at]) ? at + 1 : readWord(at);
    }
    lineEnd = at;
    nextLine = at + 1;
  }

  /** Returns the end of the word. Words beyond the last that is kept are passed over. */
  private int readWord(int start) {
    int at = start;
    long number = 0;
    int digit = buffer[at] - '0';
    while (digit >= 0 && digit <= 9) {
      number = 10 * number + digit;
      digit = buffer[++at] - '0';
    }
    boolean onlyDigits = isBlank(buffer[at]);
    int end = onlyDigits ? at : endOfWord(at);
    if (words < MAX_WORDS) {
      wordStart[words] = start;
      wordEnd[words] = end;
      numbers[words] = number;
      numeric |= onlyDigits ? 1L << words : 0;
      words++;
    }
    return end;
  }

  private int endOfWord(int inside) {
    int at = inside;
    while (!isBlank(buffer[at])) {
      if (buffer[at] == '#' && comment == NONE) {
        comment = at;
      }
      at++;
    }
    return at;
  }

  /** A newline is one, too. */
  private static boolean isBlank(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }

  /** The number of this line in the file, from 1. */
  int line() {
    return line;
  }

  /** How many words the line has, the operation included. */
  int words() {
    return words;
  }

  boolean has(int word) {
    return word < words;
  }

  /** Whether the operation is this one; ASCII. */
  boolean isOperation(String name) {
    int length = wordEnd[0] - wordStart[0];
    if (length != name.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (buffer[wordStart[0] + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  String word(int word) {
    require(word);
    return new String(
        buffer, wordStart[word], wordEnd[word] - wordStart[word], StandardCharsets.UTF_8);
  }

  /** Writes a word as a text value, without garbage. */
  void write(int word, RecordWriter record) {
    require(word);
    record.value(buffer, wordStart[word], wordEnd[word]);
  }

  /** A decimal number without a sign, below 2^64; from 2^63 on it is negative here. */
  long unsigned(int word) {
    require(word);
    if (!isNumeric(word) || wordEnd[word] - wordStart[word] > MAX_PLAIN_DIGITS) {
      return longUnsigned(word);
    }
    return numbers[word];
  }

  private long longUnsigned(int word) {
    try {
      // It would take a plus sign.
      return Long.parseUnsignedLong(word(word).replace('+', '?'));
    } catch (NumberFormatException e) {
      throw new TraceLineException(
          line, "'" + word(word) + "' is no whole number from 0 to below 2^64.");
    }
  }

  double real(int word) {
    try {
      return Double.parseDouble(word(word));
    } catch (NumberFormatException e) {
      throw notANumber(word);
    }
  }

  /** A decimal number; beyond 64 bits it wraps, as an unsigned one does. */
  long number(int word) {
    require(word);
    return isNumeric(word) ? numbers[word] : signedNumber(word);
  }

  private boolean isNumeric(int word) {
    return (numeric & (1L << word)) != 0;
  }

  private long signedNumber(int word) {
    int at = wordStart[word];
    int end = wordEnd[word];
    boolean negative = buffer[at] == '-';
    if (negative) {
      at++;
    }
    if (at == end) {
      throw notANumber(word);
    }
    long value = 0;
    for (; at < end; at++) {
      int digit = buffer[at] - '0';
      if (digit < 0 || digit > 9) {
        throw notANumber(word);
      }
      value = 10 * value + digit;
    }
    return negative ? -value : value;
  }

  int small(int word) {
    long number = number(word);
    if ((int) number != number) {
      throw new TraceLineException(line, "'" + word(word) + "' is too large a number here.");
    }
    return (int) number;
  }

  /**
   * Ends the line before the first {@code #}, for grammars in which a comment may follow.
   *
   * @return whether words are left
   */
  boolean cutComment() {
    if (comment != NONE) {
      int following = nextLine;
      buffer[comment] = '\n';
      split();
      nextLine = following;
    }
    return words > 0;
  }

  /** Whether a word is a decimal number that fits, written as one would write it. */
  boolean isPlainNumber(int word) {
    require(word);
    int length = wordEnd[word] - wordStart[word];
    return isNumeric(word)
        && length <= MAX_PLAIN_DIGITS
        && (length == 1 || buffer[wordStart[word]] != '0');
  }

  /** The rest of the line from this word on, or nothing. */
  String rest(int word) {
    return word < words
        ? new String(buffer, wordStart[word], lineEnd - wordStart[word], StandardCharsets.UTF_8)
        : "";
  }

  private void require(int word) {
    if (word >= words) {
      throw new TraceLineException(line, "'" + rest(0).strip() + "' lacks argument " + word + ".");
    }
  }

  private TraceLineException notANumber(int word) {
    return new TraceLineException(line, "'" + word(word) + "' is not a number.");
  }
}
