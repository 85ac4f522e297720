package dev.vramscope.compiled;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The element type and the dimensions of an array, written by XLA ({@code f32[128,512]{1,0}}) or by
 * JAX ({@code float32[128,512]}).
 *
 * @param type as XLA writes it
 * @param dimensions separated by commas; empty for a scalar
 * @param bytes of the elements without padding
 */
public record ArrayShape(String type, String dimensions, long bytes) {
  private static final Pattern TEXT =
      Pattern.compile("([a-z]+[0-9]*[a-z0-9_]*)\\[((?:<=)?[0-9]+(?:,(?:<=)?[0-9]+)*)?\\].*");

  private static final Map<String, String> JAX_NAMES =
      Map.of("bool", "pred", "bfloat16", "bf16", "complex64", "c64", "complex128", "c128");

  private static final Pattern JAX_NUMBER = Pattern.compile("(float|uint|int)([0-9]+)(_.*)?");
  private static final Pattern XLA_NUMBER = Pattern.compile("(?:bf|f|c|s|u)([0-9]+)[a-z0-9]*");

  /** The shape of an array; empty for tuples, tokens and unknown types. */
  public static Optional<ArrayShape> of(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String type = xlaName(matcher.group(1));
    long bits = bits(type);
    if (bits == 0) {
      return Optional.empty();
    }
    String dimensions = matcher.group(2) == null ? "" : matcher.group(2).replace("<=", "");
    long elements = 1;
    try {
      for (String each : dimensions.isEmpty() ? new String[0] : dimensions.split(",")) {
        elements = Math.multiplyExact(elements, Long.parseLong(each));
      }
      long bytes = Math.ceilDiv(Math.multiplyExact(elements, bits), Byte.SIZE);
      return Optional.of(new ArrayShape(type, dimensions, bytes));
    } catch (ArithmeticException | NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }

  private static String xlaName(String type) {
    Matcher jax = JAX_NUMBER.matcher(type);
    if (jax.matches()) {
      String letter = jax.group(1).equals("int") ? "s" : jax.group(1).substring(0, 1);
      String variant = jax.group(3);
      return letter + jax.group(2) + (variant == null ? "" : variant.substring(1));
    }
    return JAX_NAMES.getOrDefault(type, type);
  }

  private static long bits(String type) {
    if (type.equals("pred")) {
      return Byte.SIZE;
    }
    Matcher number = XLA_NUMBER.matcher(type);
    long bits =
        number.matches() && number.group(1).length() < 4 ? Long.parseLong(number.group(1)) : 0;
    return bits <= 128 ? bits : 0;
  }

  /** Type and dimensions. */
  public String label() {
    return type + "[" + dimensions + "]";
  }
}
