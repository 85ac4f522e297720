package dev.vramscope.explain;

import dev.vramscope.evidence.Quantity;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The bytes of a tensor of TensorFlow, from its shape and its type. */
final class TensorSize {
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

  private static final BigInteger MOST = BigInteger.ONE.shiftLeft(60);

  private TensorSize() {}

  /** The size; empty without a known type, or if no device has that many bytes. */
  static Optional<Quantity> of(Finding finding) {
    return finding.written(FieldName.TYPE).map(BYTES::get).flatMap(width -> of(finding, width));
  }

  /** The size if the elements are of the usual type. */
  static Optional<Quantity> asFloat(Finding finding) {
    return of(finding, FLOAT_BYTES);
  }

  /** The sizes that it can have, whatever its type is. */
  static List<Quantity> ofAnyType(Finding finding) {
    return BYTES.values().stream()
        .distinct()
        .flatMap(width -> of(finding, width).stream())
        .toList();
  }

  private static Optional<Quantity> of(Finding finding, int width) {
    Optional<String> shape = finding.written(FieldName.SHAPE);
    if (shape.isEmpty()) {
      return Optional.empty();
    }
    BigInteger bytes = BigInteger.valueOf(width);
    for (String dimension : shape.get().replaceAll("[\\[\\] ]", "").split(",")) {
      if (!dimension.isEmpty()) {
        bytes = bytes.multiply(new BigInteger(dimension));
      }
    }
    return bytes.compareTo(MOST) > 0
        ? Optional.empty()
        : Optional.of(new Quantity(bytes.longValueExact(), 0));
  }
}
