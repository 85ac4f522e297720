package dev.vramscope.format.pickle;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Runs one pickle of protocol 2 to 5 over a stream, without recursion and without objects:
 *
 * <pre>
 *   bytes ──▶ opcode ──▶ stack of cells ──┬─ MARK … SETITEMS, SETITEM ──▶ Containers.put
 *                          ▲      │       └─ MARK … APPENDS, APPEND ────▶ Containers.append
 *                          └ memo ◀┘
 * </pre>
 *
 * An opcode that is not in the allow-list ({@link Opcode}) ends the run at once. Not thread-safe.
 */
public final class PickleMachine {
  // The longest opcode with its operand has 9 bytes.
  private static final int HEADROOM = 16;
  private static final int LONGEST_INTEGER = 9;
  private static final int PROTO = 0x80;
  private static final int OLDEST_PROTOCOL = 2;
  private static final int NEWEST_PROTOCOL = 5;
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG_ENDIAN_LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final PickleInput input;
  private final PickleErrors refusals;
  private final ReadLimits limits;
  private final Values values;
  private final Containers containers;
  private final Memo memo = new Memo();
  private final CellStack stack;
  private int protocol;

  public PickleMachine(
      InputStream stream, ReadLimits limits, Values values, Containers containers) {
    this.input = new PickleInput(stream);
    this.limits = limits;
    this.values = values;
    this.containers = containers;
    this.refusals = new PickleErrors(limits);
    this.stack = new CellStack(limits, refusals);
  }

  /** The protocol the file announces. */
  public int protocol() {
    return protocol;
  }

  /**
   * Runs to STOP and returns the one value that is left.
   *
   * @throws FormatException with the byte offset of the opcode that was refused
   */
  public long run() throws IOException, FormatException {
    try {
      readHeader();
      runOpcodes();
      if (input.offset() > limits.maxBytes()) {
        throw refusals.tooManyBytes();
      }
      if (protocol < OLDEST_PROTOCOL) {
        throw refusals.notAPickle();
      }
      return stack.onlyValue();
    } catch (FormatException refused) {
      // The position moves on only when an opcode has done its work.
      throw refused.at("byte " + input.offset());
    }
  }

  /**
   * Reads what follows STOP to the end of the stream, and counts the bytes that are not NUL. They
   * are never interpreted.
   */
  public long countTrailingBytes() throws IOException, FormatException {
    long count = 0;
    while (input.await(1)) {
      while (input.position < input.limit) {
        if (input.bytes[input.position++] != 0) {
          count++;
        }
      }
      if (input.offset() > limits.maxBytes()) {
        throw refusals.tooManyBytes().at("byte " + input.offset());
      }
    }
    return count;
  }

  private void readHeader() throws IOException, FormatException {
    input.await(HEADROOM * 4);
    if (input.available() == 0) {
      throw refusals.emptyFile();
    }
    int first = input.bytes[input.position] & 0xFF;
    if (first != PROTO) {
      // Runs on where it may be a pickle of an older protocol: what it would do gets named.
      refusals.checkSignature(input.bytes, input.position, input.limit);
      if (!Opcode.exists(first)) {
        throw refusals.notAPickle();
      }
      return;
    }
    if (input.available() < 2) {
      throw refusals.endsEarly("PROTO");
    }
    protocol = input.bytes[input.position + 1] & 0xFF;
    if (protocol < OLDEST_PROTOCOL || protocol > NEWEST_PROTOCOL) {
      throw refusals.malformed(
          "pickle protocol " + protocol + " does not exist here: 2 to 5 are read");
    }
    input.position += 2;
  }

  private void runOpcodes() throws IOException, FormatException {
    boolean stopped = false;
    while (!stopped) {
      if (input.available() < HEADROOM) {
        awaitOpcode();
      }
      stopped = step(input.bytes, input.position);
    }
  }

  // One opcode, or a run of fetches; true when it was STOP.
  private boolean step(byte[] bytes, int at) throws IOException, FormatException {
    int operand = at + 1;
    switch (bytes[at] & 0xFF) {
      case 'h', 'j' -> fetchRun(bytes, at);
      case 'K' -> {
        stack.push(Cell.of(Cell.INT, bytes[operand] & 0xFF));
        input.position = at + 2;
      }
      case 'M' -> {
        stack.push(Cell.of(Cell.INT, (bytes[operand] & 0xFF) | (bytes[operand + 1] & 0xFF) << 8));
        input.position = at + 3;
      }
      case 'J' -> {
        stack.push(Cell.of(Cell.INT, (int) INTS.get(bytes, operand)));
        input.position = at + 5;
      }
      case 0x8A -> readInteger(bytes[operand] & 0xFF, 2);
      case 0x8B -> readInteger((int) INTS.get(bytes, operand), 5);
      case 0x94 -> {
        memoize();
        input.position = at + 1;
      }
      case 0x8C -> readText(bytes[operand] & 0xFF, 2);
      case 'X' -> readText((int) INTS.get(bytes, operand) & 0xFFFF_FFFFL, 5);
      case 0x8D -> readText((long) LONGS.get(bytes, operand), 9);
      case '}' -> {
        open(Cell.DICT);
        input.position = at + 1;
      }
      case ']' -> {
        open(Cell.LIST);
        input.position = at + 1;
      }
      case '(' -> {
        stack.mark();
        input.position = at + 1;
      }
      case 'u' -> {
        setItems();
        input.position = at + 1;
      }
      case 'e' -> {
        appendItems();
        input.position = at + 1;
      }
      case 's' -> {
        stack.require(3, "SETITEM");
        int top = stack.size();
        containers.put(container(top - 3, Cell.DICT, "SETITEM"), stack.cells(), top - 2, top);
        stack.drop(2);
        input.position = at + 1;
      }
      case 'a' -> {
        stack.require(2, "APPEND");
        int top = stack.size();
        containers.append(container(top - 2, Cell.LIST, "APPEND"), stack.cells(), top - 1, top);
        stack.drop(1);
        input.position = at + 1;
      }
      case 0x86 -> makeTuple(2, at);
      case 0x85 -> makeTuple(1, at);
      case 0x87 -> makeTuple(3, at);
      case 't' -> makeTuple(stack.popMark("TUPLE"), at);
      case ')' -> makeTuple(0, at);
      case 'N' -> pushConstant(Cell.NONE, at);
      case 0x88 -> pushConstant(Cell.TRUE, at);
      case 0x89 -> pushConstant(Cell.FALSE, at);
      case 'G' -> {
        long bits = (long) BIG_ENDIAN_LONGS.get(bytes, operand);
        stack.push(values.floating(Double.longBitsToDouble(bits)));
        input.position = at + 9;
      }
      case 'q' -> {
        memoizeAs(bytes[operand] & 0xFF);
        input.position = at + 2;
      }
      case 'r' -> {
        memoizeAs((int) INTS.get(bytes, operand));
        input.position = at + 5;
      }
      // The number of bytes a frame announces is a hint for buffering and may be a lie.
      case 0x95 -> input.position = at + 9;
      case '.' -> {
        input.position = at + 1;
        return true;
      }
      default -> throw refusals.opcode(bytes[at] & 0xFF);
    }
    return false;
  }

  // Near the end of the file: the opcode must be there whole.
  private void awaitOpcode() throws IOException, FormatException {
    if (input.offset() > limits.maxBytes()) {
      throw refusals.tooManyBytes();
    }
    if (input.await(HEADROOM)) {
      return;
    }
    if (input.available() == 0) {
      throw refusals.endsEarly("STOP");
    }
    int code = input.bytes[input.position] & 0xFF;
    if (!Opcode.isAllowed(code)) {
      throw refusals.opcode(code);
    }
    Opcode opcode = Opcode.of(code);
    if (input.available() < 1 + opcode.operandBytes()) {
      throw refusals.endsEarly(opcode.name());
    }
  }

  // Four of five opcodes fetch from the memo, most of them in rows: the frames of a stack.
  private void fetchRun(byte[] bytes, int from) throws FormatException {
    int last = input.limit - HEADROOM;
    int at = from;
    while (at <= last || at == from) {
      int number;
      int length;
      if (bytes[at] == 'h') {
        number = bytes[at + 1] & 0xFF;
        length = 2;
      } else if (bytes[at] == 'j') {
        number = (int) INTS.get(bytes, at + 1);
        length = 5;
      } else {
        return;
      }
      if (number < 0 || number >= memo.size()) {
        throw refusals.unknownMemoEntry(number);
      }
      long cell = memo.get(number);
      if (cell == Cell.ABSENT) {
        throw refusals.unknownMemoEntry(number);
      }
      stack.push(cell);
      at += length;
      input.position = at;
    }
  }

  private void memoize() throws FormatException {
    if (memo.size() >= limits.maxMemo()) {
      throw refusals.tooLarge("the pickle's memo has more than " + limits.maxMemo() + " entries");
    }
    stack.require(1, "MEMOIZE");
    memo.add(stack.top());
  }

  // Numbers may leave gaps, but none is as large as its offset: every entry costs its writer bytes.
  private void memoizeAs(int number) throws FormatException {
    if (number < 0 || number > input.offset() || number >= limits.maxMemo()) {
      throw refusals.malformed(
          "memo entry "
              + Integer.toUnsignedString(number)
              + " is stored where at most "
              + Math.min(input.offset(), limits.maxMemo())
              + " can be");
    }
    stack.require(1, "BINPUT");
    while (memo.size() <= number) {
      memo.add(Cell.ABSENT);
    }
    memo.set(number, stack.top());
  }

  private void readText(long length, int header) throws IOException, FormatException {
    if (length < 0 || length > limits.maxStringBytes()) {
      throw refusals.tooLarge(
          "a string of "
              + Long.toUnsignedString(length)
              + " bytes is announced; at most "
              + limits.maxStringBytes()
              + " are read");
    }
    int whole = header + (int) length;
    if (input.available() < whole && !input.await(whole)) {
      throw refusals.endsEarly("a string of " + length + " bytes");
    }
    int start = input.position + header;
    stack.push(Cell.of(Cell.TEXT, values.texts().intern(input.bytes, start, (int) length)));
    input.position += whole;
  }

  // Little-endian two's complement, as short as its writer liked.
  private void readInteger(int length, int header) throws IOException, FormatException {
    if (length < 0) {
      throw refusals.malformed("an integer of " + length + " bytes is announced");
    }
    if (length > LONGEST_INTEGER) {
      throw refusals.malformed("an integer of " + length + " bytes is outside the 64-bit range");
    }
    if (input.available() < header + length && !input.await(header + length)) {
      throw refusals.endsEarly("an integer of " + length + " bytes");
    }
    byte[] bytes = input.bytes;
    int start = input.position + header;
    // One load of 8 bytes; those beyond the number are shifted out below.
    long bits = (long) LONGS.get(bytes, start);
    if (length == LONGEST_INTEGER) {
      if (bytes[start + Long.BYTES] != 0) {
        throw refusals.malformed("an integer of 9 bytes is outside the 64-bit range");
      }
      stack.push(values.unsigned(bits));
    } else {
      int unused = Long.SIZE - 8 * length;
      stack.push(values.integer(length == 0 ? 0 : bits << unused >> unused));
    }
    input.position += header + length;
  }

  private void pushConstant(int tag, int at) throws FormatException {
    stack.push(Cell.of(tag, 0));
    input.position = at + 1;
  }

  private void makeTuple(int count, int at) throws FormatException {
    stack.require(count, "TUPLE");
    long[] cells = stack.cells();
    int from = stack.size() - count;
    long tuple;
    if (count == 2 && Values.isInteger(cells[from]) && Values.isInteger(cells[from + 1])) {
      tuple = values.pair(cells[from], cells[from + 1]);
    } else {
      long depth = count == 0 ? 0 : 1;
      for (int i = from; i < from + count; i++) {
        if (Cell.tag(cells[i]) == Cell.TUPLE) {
          depth = Math.max(depth, Cell.payload(cells[i]) + 1);
        }
      }
      if (depth > limits.maxDepth()) {
        throw refusals.tooDeep();
      }
      tuple = Cell.of(Cell.TUPLE, depth);
    }
    stack.drop(count);
    stack.push(tuple);
    input.position = at + 1;
  }

  private void setItems() throws FormatException {
    int count = stack.popMark("SETITEMS");
    if ((count & 1) != 0) {
      throw refusals.malformed("SETITEMS has " + count + " values: a key without a value");
    }
    int top = stack.size();
    long dict = container(top - count - 1, Cell.DICT, "SETITEMS");
    containers.put(dict, stack.cells(), top - count, top);
    stack.drop(count);
  }

  private void appendItems() throws FormatException {
    int count = stack.popMark("APPENDS");
    int top = stack.size();
    long list = container(top - count - 1, Cell.LIST, "APPENDS");
    containers.append(list, stack.cells(), top - count, top);
    stack.drop(count);
  }

  private long container(int place, int kind, String opcode) throws FormatException {
    if (place < stack.base()) {
      throw refusals.malformed(opcode + " finds nothing below its values");
    }
    long cell = stack.cells()[place];
    if (Cell.tag(cell) != kind) {
      throw refusals.malformed(opcode + " is used on " + Cell.describe(cell));
    }
    return cell;
  }

  // Containers.open explains the two candidates.
  private void open(int kind) throws FormatException {
    long[] cells = stack.cells();
    int top = stack.size();
    int base = stack.base();
    long inner = Cell.ABSENT;
    long innerKey = Cell.ABSENT;
    if (top > base) {
      long last = cells[top - 1];
      if (Cell.tag(last) == Cell.LIST) {
        inner = last;
      } else if (Cell.tag(last) == Cell.TEXT
          && top - 1 > base
          && Cell.tag(cells[top - 2]) == Cell.DICT) {
        inner = cells[top - 2];
        innerKey = last;
      }
    }
    long outer = Cell.ABSENT;
    long outerKey = Cell.ABSENT;
    if (base > 0) {
      long filled = cells[base - 1];
      if (Cell.tag(filled) == Cell.LIST) {
        outer = filled;
      } else if (Cell.tag(filled) == Cell.DICT && ((top - base) & 1) != 0) {
        outer = filled;
        outerKey = cells[top - 1];
      }
    }
    stack.push(containers.open(kind, inner, innerKey, outer, outerKey, top - base, stack.marks()));
  }
}
