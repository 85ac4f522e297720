package dev.vramscope.format.pickle;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Executes one pickle of protocol 2 to 5 from a stream, without recursion and without creating
 * objects:
 *
 * <pre>
 *   bytes ──▶ opcode ──▶ stack of cells ──┬─ MARK … SETITEMS, SETITEM ──▶ Containers.put
 *                          ▲      │       └─ MARK … APPENDS, APPEND ────▶ Containers.append
 *                          └ memo ◀┘
 * </pre>
 *
 * An opcode that is not in the allow-list ({@link Opcode}) ends the execution. Not thread-safe.
 */
public final class PickleMachine {
  // The longest opcode has 9 bytes with its operand.
  private static final int HEADROOM = 16;
  private static final int MAX_INTEGER_BYTES = 9;
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
  private final PickleErrors errors;
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
    this.errors = new PickleErrors(limits);
    this.stack = new CellStack(limits, errors);
  }

  /** The protocol declared in the file. */
  public int protocol() {
    return protocol;
  }

  /**
   * Executes the pickle up to STOP and returns the cell of its value.
   *
   * @throws FormatException with the byte offset of the rejected opcode
   */
  public long run() throws IOException, FormatException {
    try {
      readHeader();
      runOpcodes();
      if (input.offset() > limits.maxBytes()) {
        throw errors.tooManyBytes();
      }
      if (protocol < OLDEST_PROTOCOL) {
        throw errors.notAPickle();
      }
      return stack.onlyValue();
    } catch (FormatException rejected) {
      // The position is advanced only after an opcode was executed.
      throw rejected.at("byte " + input.offset());
    }
  }

  /**
   * Reads from STOP to the end of the stream and counts the bytes that are not NUL. They are never
   * interpreted.
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
        throw errors.tooManyBytes().at("byte " + input.offset());
      }
    }
    return count;
  }

  private void readHeader() throws IOException, FormatException {
    input.await(HEADROOM * 4);
    if (input.available() == 0) {
      throw errors.emptyFile();
    }
    int first = input.bytes[input.position] & 0xFF;
    if (first != PROTO) {
      // It may be a pickle of an older protocol: execution continues so that its opcode is named.
      errors.checkSignature(input.bytes, input.position, input.limit);
      if (!Opcode.exists(first)) {
        throw errors.notAPickle();
      }
      return;
    }
    if (input.available() < 2) {
      throw errors.endsEarly("PROTO");
    }
    protocol = input.bytes[input.position + 1] & 0xFF;
    if (protocol < OLDEST_PROTOCOL || protocol > NEWEST_PROTOCOL) {
      throw errors.malformed(
          "pickle protocol " + protocol + " is not supported; protocols 2 to 5 are");
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

  // Executes one opcode, or a run of memo reads; returns true for STOP.
  private boolean step(byte[] bytes, int at) throws IOException, FormatException {
    int operand = at + 1;
    switch (bytes[at] & 0xFF) {
      case 'h', 'j' -> readMemoRun(bytes, at);
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
      // The declared length of a frame is only a hint for buffering and may be wrong.
      case 0x95 -> input.position = at + 9;
      case '.' -> {
        input.position = at + 1;
        return true;
      }
      default -> throw errors.opcode(bytes[at] & 0xFF);
    }
    return false;
  }

  // Near the end of the file: checks that the opcode is complete.
  private void awaitOpcode() throws IOException, FormatException {
    if (input.offset() > limits.maxBytes()) {
      throw errors.tooManyBytes();
    }
    if (input.await(HEADROOM)) {
      return;
    }
    if (input.available() == 0) {
      throw errors.endsEarly("STOP");
    }
    int code = input.bytes[input.position] & 0xFF;
    if (!Opcode.isAllowed(code)) {
      throw errors.opcode(code);
    }
    Opcode opcode = Opcode.of(code);
    if (input.available() < 1 + opcode.operandBytes()) {
      throw errors.endsEarly(opcode.name());
    }
  }

  // Four of five opcodes read the memo, mostly in sequence: the frames of a stack.
  private void readMemoRun(byte[] bytes, int from) throws FormatException {
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
        throw errors.unknownMemoEntry(number);
      }
      long cell = memo.get(number);
      if (cell == Cell.ABSENT) {
        throw errors.unknownMemoEntry(number);
      }
      stack.push(cell);
      at += length;
      input.position = at;
    }
  }

  private void memoize() throws FormatException {
    if (memo.size() >= limits.maxMemo()) {
      throw errors.tooLarge("the pickle's memo has more than " + limits.maxMemo() + " entries");
    }
    stack.require(1, "MEMOIZE");
    memo.add(stack.top());
  }

  // Numbers may have gaps, but none exceeds its byte offset: every entry takes at least one byte.
  private void memoizeAs(int number) throws FormatException {
    if (number < 0 || number > input.offset() || number >= limits.maxMemo()) {
      throw errors.malformed(
          "memo entry "
              + Integer.toUnsignedString(number)
              + " is stored, but the limit is "
              + Math.min(input.offset(), limits.maxMemo()));
    }
    stack.require(1, "BINPUT");
    while (memo.size() <= number) {
      memo.add(Cell.ABSENT);
    }
    memo.set(number, stack.top());
  }

  private void readText(long length, int header) throws IOException, FormatException {
    if (length < 0 || length > limits.maxStringBytes()) {
      throw errors.tooLarge(
          "a string of "
              + Long.toUnsignedString(length)
              + " bytes exceeds the limit of "
              + limits.maxStringBytes()
              + " bytes");
    }
    int total = header + (int) length;
    if (input.available() < total && !input.await(total)) {
      throw errors.endsEarly("a string of " + length + " bytes");
    }
    int start = input.position + header;
    stack.push(Cell.of(Cell.TEXT, values.texts().intern(input.bytes, start, (int) length)));
    input.position += total;
  }

  // Little-endian two's complement of 0 to 9 bytes.
  private void readInteger(int length, int header) throws IOException, FormatException {
    if (length < 0) {
      throw errors.malformed("an integer of " + length + " bytes is declared");
    }
    if (length > MAX_INTEGER_BYTES) {
      throw errors.malformed("an integer of " + length + " bytes is outside the 64-bit range");
    }
    if (input.available() < header + length && !input.await(header + length)) {
      throw errors.endsEarly("an integer of " + length + " bytes");
    }
    byte[] bytes = input.bytes;
    int start = input.position + header;
    // Loads 8 bytes; those beyond the number are shifted out below.
    long bits = (long) LONGS.get(bytes, start);
    if (length == MAX_INTEGER_BYTES) {
      if (bytes[start + Long.BYTES] != 0) {
        throw errors.malformed("an integer of 9 bytes is outside the 64-bit range");
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
        throw errors.tooDeep();
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
      throw errors.malformed("SETITEMS has " + count + " values: a key without a value");
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

  private long container(int index, int kind, String opcode) throws FormatException {
    if (index < stack.base()) {
      throw errors.malformed(opcode + " has no container below its values");
    }
    long cell = stack.cells()[index];
    if (Cell.tag(cell) != kind) {
      throw errors.malformed(opcode + " is used on " + Cell.describe(cell));
    }
    return cell;
  }

  // Containers.open documents the two candidates.
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
