package dev.vramscope.format.torch;

import dev.vramscope.format.pickle.Cell;
import org.jspecify.annotations.Nullable;

/** The meaning of a list or dict of the file in a snapshot. */
enum Role {
  ROOT(Cell.DICT, 1),
  SETTINGS(Cell.DICT, 2),
  /** A setting that is a dict; its number is the text number of its name. */
  SETTINGS_GROUP(Cell.DICT, 3),
  ANNOTATION(Cell.DICT, 3),
  SEGMENT(Cell.DICT, 3),
  BLOCK(Cell.DICT, 5),
  HISTORY_ENTRY(Cell.DICT, 7),
  EVENT(Cell.DICT, 4),
  FRAME(Cell.DICT, 9),
  FACTS(Cell.DICT, 2),
  FACTS_DEVICE(Cell.DICT, 4),
  FACTS_FINDING(Cell.DICT, 4),
  SKIPPED_DICT(Cell.DICT, 1),
  SEGMENTS(Cell.LIST, 2),
  TRACES(Cell.LIST, 2),
  TRACE(Cell.LIST, 3),
  ANNOTATIONS(Cell.LIST, 2),
  BLOCKS(Cell.LIST, 4),
  HISTORY(Cell.LIST, 6),
  FRAMES(Cell.LIST, 8),
  POOL(Cell.LIST, 5),
  FACTS_DEVICES(Cell.LIST, 3),
  FACTS_FINDINGS(Cell.LIST, 3),
  SKIPPED_LIST(Cell.LIST, 1);

  private static final Role[] ALL = values();
  private static final int BITS = 5;
  private static final int MASK = (1 << BITS) - 1;

  private final int kind;
  private final int depth;

  Role(int kind, int depth) {
    this.kind = kind;
    this.depth = depth;
  }

  /** The maximum nesting depth of this role; the depth of a skipped container is its number. */
  int depth() {
    return depth;
  }

  /** The cell of a container of this role; the meaning of the number depends on the role. */
  long cell(long number) {
    return Cell.of(kind, number << BITS | ordinal());
  }

  /** The role of a list or dict. */
  static Role of(long container) {
    return ALL[(int) Cell.payload(container) & MASK];
  }

  /** The number of a list or dict. */
  static int number(long container) {
    return (int) (Cell.payload(container) >> BITS);
  }

  /** Whether a cell is a container of this role. */
  boolean is(long cell) {
    return Cell.tag(cell) == kind && of(cell) == this;
  }

  /** The role of a dict inside a container of this role, or null if there is none. */
  @Nullable Role dictAt(Key key) {
    return switch (this) {
      case SEGMENTS -> SEGMENT;
      case BLOCKS -> BLOCK;
      case HISTORY -> HISTORY_ENTRY;
      case TRACE -> EVENT;
      case FRAMES -> FRAME;
      case ANNOTATIONS -> ANNOTATION;
      case SETTINGS -> SETTINGS_GROUP;
      case FACTS_DEVICES -> FACTS_DEVICE;
      case FACTS_FINDINGS -> FACTS_FINDING;
      case ROOT ->
          switch (key) {
            case ALLOCATOR_SETTINGS -> SETTINGS;
            case VRAMSCOPE -> FACTS;
            default -> null;
          };
      default -> null;
    };
  }

  /** The role of a list inside a container of this role, or null if there is none. */
  @Nullable Role listAt(Key key) {
    return switch (this) {
      case TRACES -> TRACE;
      // The stack may be shared with a container that is not skipped, so it is always read.
      case SKIPPED_DICT, HISTORY_ENTRY -> key == Key.FRAMES ? FRAMES : null;
      case EVENT ->
          switch (key) {
            case FRAMES -> FRAMES;
            case POOL_ID -> POOL;
            default -> null;
          };
      case BLOCK ->
          switch (key) {
            case FRAMES -> FRAMES;
            case HISTORY -> HISTORY;
            default -> null;
          };
      case SEGMENT ->
          switch (key) {
            case BLOCKS -> BLOCKS;
            case FRAMES -> FRAMES;
            case SEGMENT_POOL_ID -> POOL;
            default -> null;
          };
      case FACTS ->
          switch (key) {
            case DEVICES -> FACTS_DEVICES;
            case FINDINGS -> FACTS_FINDINGS;
            default -> null;
          };
      case ROOT ->
          switch (key) {
            case SEGMENTS, HOST_SEGMENTS -> SEGMENTS;
            case DEVICE_TRACES -> TRACES;
            case HOST_TRACES -> TRACE;
            case EXTERNAL_ANNOTATIONS -> ANNOTATIONS;
            default -> null;
          };
      default -> null;
    };
  }
}
