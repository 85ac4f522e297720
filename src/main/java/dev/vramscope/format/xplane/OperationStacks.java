package dev.vramscope.format.xplane;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.List;

/**
 * Who requested a chunk, as a stack: the operation, and below it the shape and type of its tensor.
 */
final class OperationStacks {
  /** Where a file would stand; {@code frame-rules.txt} knows it, so that sites are operations. */
  private static final String SHAPE = "shape of the tensor";

  /** The types of TensorFlow's {@code DataType}, by their numbers. */
  private static final List<String> TYPES =
      List.of(
          "",
          "float",
          "double",
          "int32",
          "uint8",
          "int16",
          "int8",
          "string",
          "complex64",
          "int64",
          "bool",
          "qint8",
          "quint8",
          "qint32",
          "bfloat16",
          "qint16",
          "quint16",
          "uint16",
          "complex128",
          "half",
          "resource",
          "variant",
          "uint32",
          "uint64",
          "float8_e5m2",
          "float8_e4m3fn",
          "float8_e4m3fnuz",
          "float8_e4m3b11fnuz",
          "float8_e5m2fnuz",
          "int4",
          "uint4",
          "int2",
          "uint2");

  /** Longer names are cut. */
  private static final int MAX_LENGTH = 1000;

  private final StackTable.Builder stacks = new StackTable.Builder();
  private final ReadLimits limits;
  private boolean hasOperations;

  OperationStacks(ReadLimits limits) {
    this.limits = limits;
  }

  /** The stack of an event; {@link StackTable#NONE} if it names no operation. */
  int of(EventStats stats) throws FormatException {
    String operation = cut(stats.text("tf_op"));
    if (operation.isEmpty()) {
      return StackTable.NONE;
    }
    hasOperations = true;
    String shape = cut(type(stats.text("data_type")) + shape(stats));
    Frame named = new Frame(operation, "", 0);
    List<Frame> frames =
        shape.isEmpty() ? List.of(named) : List.of(new Frame(shape, SHAPE, 0), named);
    int stack = stacks.stack(frames);
    if (stack >= limits.maxStackNodes()) {
      throw new FormatException(
          Reason.TOO_LARGE,
          "the profile has more than " + limits.maxStackNodes() + " operations and shapes",
          "",
          "Start the server with a larger heap (-Xmx).");
    }
    return stack;
  }

  boolean hasOperations() {
    return hasOperations;
  }

  StackTable table() {
    return stacks.build();
  }

  private static String shape(EventStats stats) {
    String shape = stats.text("shape");
    return shape.isEmpty() ? stats.text("tensor_shape") : shape;
  }

  private static String type(String number) {
    if (!number.matches("[0-9]{1,4}")) {
      return number;
    }
    int type = Integer.parseInt(number) % 100; // 100 and more are references to the type.
    return type < TYPES.size() ? TYPES.get(type) : "type " + type;
  }

  private static String cut(String text) {
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
  }
}
