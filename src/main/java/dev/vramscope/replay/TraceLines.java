package dev.vramscope.replay;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The operations of a trace: lines of tokens separated by white space. Empty lines and lines that
 * begin with {@code #} are skipped but counted. Tokens are read in place, without allocating, and
 * each byte is read once: one pass finds the ends of the tokens, the value of numbers, and the
 * start of a comment.
 *
 * <pre>
 *   buffer   ... | the line | more complete lines | an incomplete line | unused
 *            lineStart      nextLine              complete             filled
 * </pre>
 *
 * Every complete line ends with a newline, which is added to the last line of a file if necessary;
 * a scan can therefore stop there without a bounds check.
 */
final class TraceLines {
  private static final int MAX_TOKENS = Long.SIZE;
  private static final int MAX_PLAIN_DIGITS = 18;
  private static final int NONE = -1;

  private final InputStream in;
  private byte[] buffer = new byte[1 << 16];
  private int filled;
  private int complete;
  private int lineStart;
  private int lineEnd;
  private int nextLine;
  private int line;

  /** The index of the first {@code #} in the line, or {@link #NONE}. */
  private int comment;

  private int tokens;
  private final int[] tokenStart = new int[MAX_TOKENS];
  private final int[] tokenEnd = new int[MAX_TOKENS];

  /** A bit per token: whether it consists of digits, so that its value is in {@link #numbers}. */
  private long numeric;

  private final long[] numbers = new long[MAX_TOKENS];

  TraceLines(InputStream in) {
    this.in = in;
  }

  /** Advances to the next operation; false at the end. */
  boolean next() throws IOException {
    while (nextLine < complete || refill()) {
      line++;
      lineStart = nextLine;
      split();
      if (tokens > 0 && buffer[lineStart] != '#') {
        return true;
      }
    }
    return false;
  }

  /**
   * Moves the incomplete line to the front and reads until it is complete.
   *
   * @return false at the end of the input
   */
  private boolean refill() throws IOException {
    filled -= nextLine;
    System.arraycopy(buffer, nextLine, buffer, 0, filled);
    nextLine = 0;
    complete = 0;
    while (complete == 0) {
      if (filled == buffer.length) {
        buffer = Arrays.copyOf(buffer, 2 * buffer.length);
      }
      int read = in.read(buffer, filled, buffer.length - filled);
      if (read >= 0) {
        complete = afterLastNewline(filled, filled + read);
        filled += read;
      } else if (filled > 0) {
        buffer[filled++] = '\n';
        complete = filled;
      } else {
        return false;
      }
    }
    return true;
  }

  private int afterLastNewline(int from, int to) {
    int at = to;
    while (at > from && buffer[at - 1] != '\n') {
      at--;
    }
    return at > from ? at : 0;
  }

  private void split() {
    tokens = 0;
    numeric = 0;
    comment = NONE;
    int at = lineStart;
    while (buffer[at] != '\n') {
      at = isBlank(buffer[at]) ? at + 1 : readToken(at);
    }
    lineEnd = at;
    nextLine = at + 1;
  }

  /** Returns the end of the token. Tokens beyond the maximum are ignored. */
  private int readToken(int start) {
    int at = start;
    long number = 0;
    int digit = buffer[at] - '0';
    while (digit >= 0 && digit <= 9) {
      number = 10 * number + digit;
      digit = buffer[++at] - '0';
    }
    boolean onlyDigits = isBlank(buffer[at]);
    int end = onlyDigits ? at : endOfToken(at);
    if (tokens < MAX_TOKENS) {
      tokenStart[tokens] = start;
      tokenEnd[tokens] = end;
      numbers[tokens] = number;
      numeric |= onlyDigits ? 1L << tokens : 0;
      tokens++;
    }
    return end;
  }

  private int endOfToken(int inside) {
    int at = inside;
    while (!isBlank(buffer[at])) {
      if (buffer[at] == '#' && comment == NONE) {
        comment = at;
      }
      at++;
    }
    return at;
  }

  /** Includes the newline. */
  private static boolean isBlank(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }

  /** The 1-based number of this line in the file. */
  int line() {
    return line;
  }

  /** The number of tokens in the line, including the operation. */
  int tokenCount() {
    return tokens;
  }

  boolean has(int token) {
    return token < tokens;
  }

  /** Whether the operation has this name, which must be ASCII. */
  boolean isOperation(String name) {
    int length = tokenEnd[0] - tokenStart[0];
    if (length != name.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (buffer[tokenStart[0] + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  String token(int token) {
    require(token);
    return new String(
        buffer, tokenStart[token], tokenEnd[token] - tokenStart[token], StandardCharsets.UTF_8);
  }

  /** Writes a token as a JSON string, without allocating. */
  void write(int token, RecordWriter record) {
    require(token);
    record.value(buffer, tokenStart[token], tokenEnd[token]);
  }

  /** An unsigned decimal number below 2^64; values from 2^63 are negative as a {@code long}. */
  long unsigned(int token) {
    require(token);
    if (!isNumeric(token) || tokenEnd[token] - tokenStart[token] > MAX_PLAIN_DIGITS) {
      return longUnsigned(token);
    }
    return numbers[token];
  }

  private long longUnsigned(int token) {
    try {
      // parseUnsignedLong accepts a plus sign, which the grammar does not.
      return Long.parseUnsignedLong(token(token).replace('+', '?'));
    } catch (NumberFormatException e) {
      throw new TraceLineException(
          line, "'" + token(token) + "' is not a whole number from 0 to 2^64 - 1.");
    }
  }

  double real(int token) {
    try {
      return Double.parseDouble(token(token));
    } catch (NumberFormatException e) {
      throw notANumber(token);
    }
  }

  /** A decimal number; beyond 64 bits it wraps around. */
  long number(int token) {
    require(token);
    return isNumeric(token) ? numbers[token] : signedNumber(token);
  }

  private boolean isNumeric(int token) {
    return (numeric & (1L << token)) != 0;
  }

  private long signedNumber(int token) {
    int at = tokenStart[token];
    int end = tokenEnd[token];
    boolean negative = buffer[at] == '-';
    if (negative) {
      at++;
    }
    if (at == end) {
      throw notANumber(token);
    }
    long value = 0;
    for (; at < end; at++) {
      int digit = buffer[at] - '0';
      if (digit < 0 || digit > 9) {
        throw notANumber(token);
      }
      value = 10 * value + digit;
    }
    return negative ? -value : value;
  }

  int small(int token) {
    long number = number(token);
    if ((int) number != number) {
      throw new TraceLineException(line, "'" + token(token) + "' is too large.");
    }
    return (int) number;
  }

  /**
   * Ends the line before the first {@code #}, for grammars with trailing comments.
   *
   * @return whether tokens are left
   */
  boolean cutComment() {
    if (comment != NONE) {
      int following = nextLine;
      buffer[comment] = '\n';
      split();
      nextLine = following;
    }
    return tokens > 0;
  }

  /** Whether a token is a decimal number in canonical form that fits into a {@code long}. */
  boolean isPlainNumber(int token) {
    require(token);
    int length = tokenEnd[token] - tokenStart[token];
    return isNumeric(token)
        && length <= MAX_PLAIN_DIGITS
        && (length == 1 || buffer[tokenStart[token]] != '0');
  }

  /** The rest of the line from this token on, or an empty string. */
  String rest(int token) {
    return token < tokens
        ? new String(buffer, tokenStart[token], lineEnd - tokenStart[token], StandardCharsets.UTF_8)
        : "";
  }

  private void require(int token) {
    if (token >= tokens) {
      throw new TraceLineException(
          line, "'" + rest(0).strip() + "' has no argument " + token + ".");
    }
  }

  private TraceLineException notANumber(int token) {
    return new TraceLineException(line, "'" + token(token) + "' is not a number.");
  }
}
