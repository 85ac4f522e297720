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
  private final PickleValues values;
  private final Containers containers;
  private final Memo memo;
  private final CellStack stack;
  private final ContainerOpcodes opcodes;
  private final RepeatedBatches repeated = new RepeatedBatches();
  private int protocol;

  public PickleMachine(
      InputStream stream, ReadLimits limits, PickleValues values, Containers containers) {
    this.input = new PickleInput(stream);
    this.limits = limits;
    this.values = values;
    this.containers = containers;
    this.errors = new PickleErrors(limits);
    this.memo = new Memo(limits, errors);
    this.stack = new CellStack(limits, errors);
    this.opcodes = new ContainerOpcodes(stack, values, containers, errors, limits);
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

  // The frequent opcodes, with the position and the stack in local variables: in fields, every
  // opcode would wait for the stores of the one before.
  private void runOpcodes() throws IOException, FormatException {
    byte[] bytes = input.bytes;
    int at = input.position;
    int last = input.limit - HEADROOM;
    long[] cells = stack.cells;
    int top = stack.size;
    while (true) {
      input.position = at;
      if (at > last) {
        awaitOpcode();
        bytes = input.bytes;
        at = input.position;
        last = input.limit - HEADROOM;
      }
      boolean done = true;
      switch (bytes[at] & 0xFF) {
        case 'h' -> {
          cells[top++] = memo.get(bytes[at + 1] & 0xFF);
          at += 2;
        }
        case 'j' -> {
          cells[top++] = memo.get((int) INTS.get(bytes, at + 1));
          at += 5;
        }
        case 'K' -> {
          cells[top++] = Cell.of(Cell.INT, bytes[at + 1] & 0xFF);
          at += 2;
        }
        case 'M' -> {
          cells[top++] = Cell.of(Cell.INT, (int) INTS.get(bytes, at + 1) & 0xFFFF);
          at += 3;
        }
        case 'J' -> {
          cells[top++] = Cell.of(Cell.INT, (int) INTS.get(bytes, at + 1));
          at += 5;
        }
        case 0x8A -> {
          int length = bytes[at + 1];
          done = at <= last && length > 0 && length <= Long.BYTES;
          if (done) {
            cells[top++] = values.integer(signed(bytes, at + 2, length));
            at += 2 + length;
          }
        }
        case 0x94 -> {
          stack.size = top;
          memoize();
          at++;
        }
        case '(' -> {
          stack.size = top;
          // What lies below the enclosing mark must not be used.
          boolean hasContainer = top > stack.base();
          stack.mark();
          at++;
          if (hasContainer && Cell.tag(cells[top - 1]) == Cell.LIST && isMemoRead(bytes[at])) {
            input.position = at;
            readBatch(bytes, at, cells[top - 1]);
            at = input.position;
            cells = stack.cells;
            top = stack.size;
          }
        }
        default -> done = false;
      }
      if (!done) {
        stack.size = top;
        if (step(bytes, at)) {
          return;
        }
        bytes = input.bytes;
        at = input.position;
        last = input.limit - HEADROOM;
        cells = stack.cells;
        top = stack.size;
      } else if (top == cells.length) {
        cells = stack.grow(top);
      }
    }
  }

  // Executes one of the other opcodes; returns true for STOP.
  private boolean step(byte[] bytes, int at) throws IOException, FormatException {
    int operand = at + 1;
    int next = operand;
    switch (bytes[at] & 0xFF) {
      case '}' -> opcodes.open(Cell.DICT);
      case ']' -> opcodes.open(Cell.LIST);
      case 'u' -> opcodes.setItems();
      case 'e' -> opcodes.appendItems();
      case 's' -> opcodes.setItem();
      case 'a' -> opcodes.appendItem();
      case 0x85 -> opcodes.makeTuple(1);
      case 0x86 -> opcodes.makeTuple(2);
      case 0x87 -> opcodes.makeTuple(3);
      case 't' -> opcodes.makeTuple(stack.popMark("TUPLE"));
      case ')' -> opcodes.makeTuple(0);
      case 'N' -> stack.push(Cell.of(Cell.NONE, 0));
      case 0x88 -> stack.push(Cell.of(Cell.TRUE, 0));
      case 0x89 -> stack.push(Cell.of(Cell.FALSE, 0));
      case 0x8A -> next = readInteger(bytes[operand] & 0xFF, 2);
      case 0x8B -> next = readInteger((int) INTS.get(bytes, operand), 5);
      case 0x8C -> next = readText(bytes[operand] & 0xFF, 2);
      case 'X' -> next = readText((int) INTS.get(bytes, operand) & 0xFFFF_FFFFL, 5);
      case 0x8D -> next = readText((long) LONGS.get(bytes, operand), 9);
      case 'G' -> {
        long bits = (long) BIG_ENDIAN_LONGS.get(bytes, operand);
        stack.push(values.floating(Double.longBitsToDouble(bits)));
        next = at + 9;
      }
      case 'q' -> {
        memoizeAs(bytes[operand] & 0xFF);
        next = at + 2;
      }
      case 'r' -> {
        memoizeAs((int) INTS.get(bytes, operand));
        next = at + 5;
      }
      // The declared length of a frame is only a hint for buffering and may be wrong.
      case 0x95 -> next = at + 9;
      case '.' -> {
        input.position = next;
        return true;
      }
      default -> throw errors.opcode(bytes[at] & 0xFF);
    }
    input.position = next;
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

  // A batch after MARK that begins with a memo read: the frames of a stack, more than half of a
  // file. If it consists of memo reads only, it is compared with the earlier ones and stored.
  private void readBatch(byte[] bytes, int from, long list) throws FormatException {
    long earlier = repeated.find(input);
    if (earlier != Cell.ABSENT
        && stack.size + (repeated.end() - from) / 2 < stack.cells.length
        && containers.repeat(list, earlier)) {
      stack.popMark("APPENDS");
      input.position = repeated.end();
      return;
    }
    readMemoRun(bytes, from);
    int end = input.position;
    if (end < input.limit && bytes[end] == 'e') {
      opcodes.appendItems();
      input.position = end + 1;
      repeated.add(bytes, from, end + 1, list);
    }
  }

  private void readMemoRun(byte[] bytes, int from) throws FormatException {
    int last = input.limit - HEADROOM;
    int at = from;
    while (at <= last && isMemoRead(bytes[at])) {
      // Without a branch: the two opcodes alternate unpredictably.
      boolean wide = bytes[at] == 'j';
      int number = (int) INTS.get(bytes, at + 1) & (wide ? -1 : 0xFF);
      stack.push(memo.get(number));
      at += wide ? 5 : 2;
      input.position = at;
    }
  }

  private static boolean isMemoRead(byte opcode) {
    return (opcode & ~('h' ^ 'j')) == 'h';
  }

  private void memoize() throws FormatException {
    memo.requireRoom();
    stack.require(1, "MEMOIZE");
    memo.add(stack.top());
  }

  private void memoizeAs(int number) throws FormatException {
    memo.requireValidNumber(number, input.offset());
    stack.require(1, "BINPUT");
    if (memo.put(number, stack.top())) {
      repeated.disable();
    }
  }

  // Returns the index after the string.
  private int readText(long length, int header) throws IOException, FormatException {
    if (length < 0 || length > limits.encoding().maxStringBytes()) {
      throw errors.tooLarge(
          "a string of "
              + Long.toUnsignedString(length)
              + " bytes exceeds the limit of "
              + limits.encoding().maxStringBytes()
              + " bytes");
    }
    int total = header + (int) length;
    if (input.available() < total && !input.await(total)) {
      throw errors.endsEarly("a string of " + length + " bytes");
    }
    int start = input.position + header;
    stack.push(Cell.of(Cell.TEXT, values.texts().intern(input.bytes, start, (int) length)));
    return input.position + total;
  }

  // Little-endian two's complement of 0 to 9 bytes. Returns the index after the number.
  private int readInteger(int length, int header) throws IOException, FormatException {
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
    if (length == MAX_INTEGER_BYTES) {
      if (bytes[start + Long.BYTES] != 0) {
        throw errors.malformed("an integer of 9 bytes is outside the 64-bit range");
      }
      stack.push(values.unsigned((long) LONGS.get(bytes, start)));
    } else {
      stack.push(values.integer(length == 0 ? 0 : signed(bytes, start, length)));
    }
    return input.position + header + length;
  }

  // A number of 1 to 8 bytes. Loads 8 bytes and shifts out those beyond the number.
  private static long signed(byte[] bytes, int start, int length) {
    int unused = Long.SIZE - Byte.SIZE * length;
    return (long) LONGS.get(bytes, start) << unused >> unused;
  }
}
