package dev.vramscope.explain.xla;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The bytes of a tensor of TensorFlow, from its shape and its type. */
public final class TensorSize {
  private static final int FLOAT_BYTES = 4;

  private static final Map<String, Integer> BYTES =
      Map.ofEntries(
          Map.entry("float", FLOAT_BYTES),
          Map.entry("double", 8),
          Map.entry("half", 2),
          Map.entry("bfloat16", 2),
          Map.entry("int8", 1),
          Map.entry("uint8", 1),
          Map.entry("bool", 1),
          Map.entry("int16", 2),
          Map.entry("uint16", 2),
          Map.entry("int32", 4),
          Map.entry("uint32", 4),
          Map.entry("int64", 8),
          Map.entry("uint64", 8),
          Map.entry("complex64", 8),
          Map.entry("complex128", 16));

  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");

  private static final BigInteger MOST = BigInteger.ONE.shiftLeft(60);

  private TensorSize() {}

  /** The size; empty without a known type, or if no device has that many bytes. */
  public static Optional<Quantity> of(LogMessage message) {
    return message.written(FieldName.TYPE).map(BYTES::get).flatMap(width -> of(message, width));
  }

  /** The size if the elements are of the usual type. */
  public static Optional<Quantity> asFloat(LogMessage message) {
    return of(message, FLOAT_BYTES);
  }

  /** The sizes that it can have, whatever its type is. */
  static List<Quantity> ofAnyType(LogMessage message) {
    return BYTES.values().stream()
        .distinct()
        .flatMap(width -> of(message, width).stream())
        .toList();
  }

  /** Whether no device has the bytes of the shape, even if its elements are as small as can be. */
  static boolean isImpossible(LogMessage message) {
    int width = message.written(FieldName.TYPE).map(BYTES::get).orElse(1);
    return message.written(FieldName.SHAPE).filter(shape -> !isPossible(shape, width)).isPresent();
  }

  private static Optional<Quantity> of(LogMessage message, int width) {
    return message
        .written(FieldName.SHAPE)
        .filter(shape -> isPossible(shape, width))
        .map(shape -> Quantity.exact(bytes(shape, width).longValueExact()));
  }

  private static boolean isPossible(String shape, int width) {
    return dimensions(shape).allMatch(each -> each.signum() >= 0)
        && bytes(shape, width).compareTo(MOST) <= 0;
  }

  private static BigInteger bytes(String shape, int width) {
    return dimensions(shape).reduce(BigInteger.valueOf(width), BigInteger::multiply);
  }

  private static Stream<BigInteger> dimensions(String shape) {
    return NUMBER.matcher(shape).results().map(match -> new BigInteger(match.group()));
  }
}
