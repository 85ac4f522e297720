package dev.vramscope.format.pickle;

/**
 * Every opcode of pickle protocols 0 to 5: those that hold data are allowed, the others exist here
 * to be refused by name.
 *
 * <p>The allow-list is what Python's and PyTorch's C++ picklers write for a snapshot, and what they
 * would write for the same data in other batches.
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

  GLOBAL('c', Danger.CODE),
  STACK_GLOBAL(0x93, Danger.CODE),
  INST('i', Danger.CODE),
  OBJ('o', Danger.CODE),
  NEWOBJ(0x81, Danger.CODE),
  NEWOBJ_EX(0x92, Danger.CODE),
  REDUCE('R', Danger.CODE),
  BUILD('b', Danger.CODE),
  EXT1(0x82, Danger.CODE),
  EXT2(0x83, Danger.CODE),
  EXT4(0x84, Danger.CODE),
  PERSID('P', Danger.CODE),
  BINPERSID('Q', Danger.CODE),
  NEXT_BUFFER(0x97, Danger.BUFFER),
  READONLY_BUFFER(0x98, Danger.BUFFER),
  BYTEARRAY8(0x96, Danger.BUFFER),
  SHORT_BINBYTES('C', Danger.UNUSED),
  BINBYTES('B', Danger.UNUSED),
  BINBYTES8(0x8E, Danger.UNUSED),
  SHORT_BINSTRING('U', Danger.UNUSED),
  BINSTRING('T', Danger.UNUSED),
  EMPTY_SET(0x8F, Danger.UNUSED),
  ADDITEMS(0x90, Danger.UNUSED),
  FROZENSET(0x91, Danger.UNUSED),
  POP('0', Danger.UNUSED),
  POP_MARK('1', Danger.UNUSED),
  DUP('2', Danger.UNUSED),
  INT('I', Danger.TEXT),
  LONG('L', Danger.TEXT),
  FLOAT('F', Danger.TEXT),
  STRING('S', Danger.TEXT),
  UNICODE('V', Danger.TEXT),
  DICT('d', Danger.TEXT),
  LIST('l', Danger.TEXT),
  GET('g', Danger.TEXT),
  PUT('p', Danger.TEXT);

  /** Why an opcode is refused. */
  private enum Danger {
    CODE("would import or call code"),
    BUFFER("would take bytes from outside the file"),
    UNUSED("is never written for a memory snapshot"),
    TEXT("belongs to the text protocols 0 and 1, which no snapshot uses");

    private final String words;

    Danger(String words) {
      this.words = words;
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
  private final String objection;

  Opcode(int code, int operandBytes) {
    this.code = code;
    this.operandBytes = operandBytes;
    this.objection = "";
  }

  Opcode(int code, Danger danger) {
    this.code = code;
    this.operandBytes = 0;
    this.objection = danger.words;
  }

  int code() {
    return code;
  }

  /** Bytes of fixed width after the code: a number, or the length of what follows. */
  int operandBytes() {
    return operandBytes;
  }

  boolean isAllowed() {
    return objection.isEmpty();
  }

  /** Why it is refused, a clause; empty for an allowed one. */
  String objection() {
    return objection;
  }

  /** Whether the code is one of the allow-list. */
  static boolean isAllowed(int code) {
    Opcode opcode = BY_CODE[code];
    return opcode != null && opcode.isAllowed();
  }

  /** Whether some protocol has an opcode of that code. */
  static boolean exists(int code) {
    return BY_CODE[code] != null;
  }

  static Opcode of(int code) {
    return BY_CODE[code];
  }
}
