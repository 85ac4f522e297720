package dev.vramscope.format.pickle;

/**
 * Every opcode of pickle protocols 0 to 5. Opcodes for data are allowed; the others are listed so
 * that a rejected opcode is named in the message.
 *
 * <p>The allow-list has the opcodes that Python's and PyTorch's C++ picklers write for a snapshot,
 * or would write for the same data in other batches.
 */
enum Opcode {
  PROTO(0x80, 1),
  FRAME(0x95, 8),
  STOP('.', 0),
  MARK('(', 0),
  EMPTY_DICT('}', 0),
  EMPTY_LIST(']', 0),
  EMPTY_TUPLE(')', 0),
  SETITEM('s', 0),
  SETITEMS('u', 0),
  APPEND('a', 0),
  APPENDS('e', 0),
  TUPLE('t', 0),
  TUPLE1(0x85, 0),
  TUPLE2(0x86, 0),
  TUPLE3(0x87, 0),
  MEMOIZE(0x94, 0),
  BINPUT('q', 1),
  LONG_BINPUT('r', 4),
  BINGET('h', 1),
  LONG_BINGET('j', 4),
  SHORT_BINUNICODE(0x8C, 1),
  BINUNICODE('X', 4),
  BINUNICODE8(0x8D, 8),
  BININT('J', 4),
  BININT1('K', 1),
  BININT2('M', 2),
  LONG1(0x8A, 1),
  LONG4(0x8B, 4),
  BINFLOAT('G', 8),
  NEWTRUE(0x88, 0),
  NEWFALSE(0x89, 0),
  NONE('N', 0),

  GLOBAL('c', Rejection.CODE),
  STACK_GLOBAL(0x93, Rejection.CODE),
  INST('i', Rejection.CODE),
  OBJ('o', Rejection.CODE),
  NEWOBJ(0x81, Rejection.CODE),
  NEWOBJ_EX(0x92, Rejection.CODE),
  REDUCE('R', Rejection.CODE),
  BUILD('b', Rejection.CODE),
  EXT1(0x82, Rejection.CODE),
  EXT2(0x83, Rejection.CODE),
  EXT4(0x84, Rejection.CODE),
  PERSID('P', Rejection.CODE),
  BINPERSID('Q', Rejection.CODE),
  NEXT_BUFFER(0x97, Rejection.BUFFER),
  READONLY_BUFFER(0x98, Rejection.BUFFER),
  BYTEARRAY8(0x96, Rejection.BUFFER),
  SHORT_BINBYTES('C', Rejection.UNUSED),
  BINBYTES('B', Rejection.UNUSED),
  BINBYTES8(0x8E, Rejection.UNUSED),
  SHORT_BINSTRING('U', Rejection.UNUSED),
  BINSTRING('T', Rejection.UNUSED),
  EMPTY_SET(0x8F, Rejection.UNUSED),
  ADDITEMS(0x90, Rejection.UNUSED),
  FROZENSET(0x91, Rejection.UNUSED),
  POP('0', Rejection.UNUSED),
  POP_MARK('1', Rejection.UNUSED),
  DUP('2', Rejection.UNUSED),
  INT('I', Rejection.TEXT),
  LONG('L', Rejection.TEXT),
  FLOAT('F', Rejection.TEXT),
  STRING('S', Rejection.TEXT),
  UNICODE('V', Rejection.TEXT),
  DICT('d', Rejection.TEXT),
  LIST('l', Rejection.TEXT),
  GET('g', Rejection.TEXT),
  PUT('p', Rejection.TEXT);

  /** Why an opcode is rejected. */
  private enum Rejection {
    CODE("would import or call code"),
    BUFFER("would read bytes from outside the file"),
    UNUSED("is never used in a memory snapshot"),
    TEXT("belongs to the text protocols 0 and 1, which are not supported");

    private final String reason;

    Rejection(String reason) {
      this.reason = reason;
    }
  }

  private static final Opcode[] BY_CODE = new Opcode[256];

  static {
    for (Opcode opcode : values()) {
      BY_CODE[opcode.code] = opcode;
    }
  }

  private final int code;
  private final int operandBytes;
  private final String rejectionReason;

  Opcode(int code, int operandBytes) {
    this.code = code;
    this.operandBytes = operandBytes;
    this.rejectionReason = "";
  }

  Opcode(int code, Rejection rejection) {
    this.code = code;
    this.operandBytes = 0;
    this.rejectionReason = rejection.reason;
  }

  int code() {
    return code;
  }

  /** Bytes of the fixed-width operand: a number, or the length of the following bytes. */
  int operandBytes() {
    return operandBytes;
  }

  boolean isAllowed() {
    return rejectionReason.isEmpty();
  }

  /** Why the opcode is rejected, a clause; empty for an allowed opcode. */
  String rejectionReason() {
    return rejectionReason;
  }

  /** Whether the code is in the allow-list. */
  static boolean isAllowed(int code) {
    Opcode opcode = BY_CODE[code];
    return opcode != null && opcode.isAllowed();
  }

  /** Whether any protocol has an opcode with this code. */
  static boolean exists(int code) {
    return BY_CODE[code] != null;
  }

  static Opcode of(int code) {
    return BY_CODE[code];
  }
}
