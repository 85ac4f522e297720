package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.Cell;
import dev.vramscope.format.pickle.Containers;
import dev.vramscope.format.pickle.PickleValues;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Passes JSON to {@link Containers} like the pickle machine passes a pickle: values stay on a stack
 * until their container closes; long lists are passed on in batches.
 */
final class JsonDriver {
  private static final int BATCH = 1_000;
  private static final int MAX_INTEGER_DIGITS = 20;

  private final JsonParser parser;
  private final PickleValues values;
  private final Containers containers;

  // The open containers, and the stack index at which the values of each begin.
  private final long[] open;
  private final int[] bases;
  private int depth;
  private long[] cells = new long[1 << 12];
  private int size;

  JsonDriver(JsonParser parser, PickleValues values, Containers containers, ReadLimits limits) {
    this.parser = parser;
    this.values = values;
    this.containers = containers;
    this.open = new long[limits.encoding().maxDepth() + 1];
    this.bases = new int[limits.encoding().maxDepth() + 1];
  }

  /** Reads one JSON value and returns its cell. */
  long run() throws FormatException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw new FormatException(
          Reason.TRUNCATED, "the file is empty", "", "Take the snapshot again.");
    }
    do {
      take(token);
      if (depth == 0) {
        return cells[0];
      }
      token = parser.nextToken();
    } while (token != null);
    throw new FormatException(
        Reason.TRUNCATED,
        "the file ends inside " + depth + " open lists and objects",
        "",
        "It was truncated while being written or copied; copy it again.");
  }

  /** Reads the rest of the stream and counts the bytes that are neither whitespace nor NUL. */
  long countTrailingBytes(InputStream in) throws IOException {
    ByteArrayOutputStream buffered = new ByteArrayOutputStream();
    parser.releaseBuffered(buffered);
    byte[] chunk = buffered.toByteArray();
    long count = 0;
    for (int length = chunk.length; length >= 0; length = in.read(chunk)) {
      for (int i = 0; i < length; i++) {
        if (chunk[i] != 0 && !Character.isWhitespace(chunk[i])) {
          count++;
        }
      }
      if (chunk.length < BATCH) {
        chunk = new byte[1 << 16];
      }
    }
    return count;
  }

  private void take(JsonToken token) throws FormatException {
    switch (token) {
      case START_OBJECT -> open(Cell.DICT);
      case START_ARRAY -> open(Cell.LIST);
      case END_OBJECT -> {
        containers.put(open[depth - 1], cells, bases[depth - 1], size);
        close();
      }
      case END_ARRAY -> {
        containers.append(open[depth - 1], cells, bases[depth - 1], size);
        close();
      }
      case PROPERTY_NAME -> push(text(parser.currentName()));
      case VALUE_STRING -> push(text(parser.getString()));
      case VALUE_NUMBER_INT -> push(integer());
      case VALUE_NUMBER_FLOAT -> push(values.floating(parser.getDoubleValue()));
      case VALUE_TRUE -> push(Cell.of(Cell.TRUE, 0));
      case VALUE_FALSE -> push(Cell.of(Cell.FALSE, 0));
      case VALUE_NULL -> push(Cell.of(Cell.NONE, 0));
      default -> throw new IllegalStateException("unexpected JSON token " + token);
    }
    flushLongList();
  }

  private void open(int kind) throws FormatException {
    long parent = depth == 0 ? Cell.ABSENT : open[depth - 1];
    boolean inDict = depth > 0 && Cell.tag(parent) == Cell.DICT;
    long key = inDict ? cells[size - 1] : Cell.ABSENT;
    int pending = depth == 0 ? 0 : size - bases[depth - 1];
    open[depth] = containers.open(kind, Cell.ABSENT, Cell.ABSENT, parent, key, pending, depth);
    bases[depth++] = size;
  }

  private void close() {
    depth--;
    size = bases[depth];
    push(open[depth]);
  }

  private void flushLongList() throws FormatException {
    if (depth > 0 && size - bases[depth - 1] >= BATCH && Cell.tag(open[depth - 1]) == Cell.LIST) {
      containers.append(open[depth - 1], cells, bases[depth - 1], size);
      size = bases[depth - 1];
    }
  }

  private void push(long cell) {
    if (size == cells.length) {
      cells = Arrays.copyOf(cells, size * 2);
    }
    cells[size++] = cell;
  }

  private long text(String text) throws FormatException {
    return Cell.of(Cell.TEXT, values.texts().intern(text));
  }

  private long integer() throws FormatException {
    if (parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return values.integer(parser.getLongValue());
    }
    String digits = parser.getString();
    try {
      if (digits.length() <= MAX_INTEGER_DIGITS) {
        return values.unsigned(Long.parseUnsignedLong(digits));
      }
    } catch (NumberFormatException outOfRange) {
      // Rejected below, like a longer one.
    }
    throw new FormatException(
        Reason.MALFORMED,
        "an integer of " + digits.length() + " digits is outside the 64-bit range",
        "",
        "The file is damaged or was not written by PyTorch; take the snapshot again.");
  }
}
