package dev.vramscope.explain;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.ImpossibleSize;
import dev.vramscope.model.ByteText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What follows from a size that no memory can have. */
final class ImpossibleSizeConclusion {
  private static final BigDecimal WRAP = new BigDecimal(BigInteger.ONE.shiftLeft(64));
  private static final Pattern NUMBER =
      Pattern.compile("([0-9]{1,20}(?:\\.[0-9]+)?)(?= ?[A-Za-z]) ?([KMGTPE]?)[A-Za-z]*");

  /** A number below is a huge one as a signed one, too. */
  private static final BigDecimal MOST_NEGATIVE = BigDecimal.valueOf(1L << 60);

  private static final String UNITS = "KMGTPE";

  private final LogMessage message;
  private final String written;

  private ImpossibleSizeConclusion(ImpossibleSize size) {
    message = size.message();
    written = size.written();
  }

  /** The conclusion, in a failure with these messages. */
  static Conclusion of(ImpossibleSize size, List<LogMessage> messages) {
    return new ImpossibleSizeConclusion(size).conclusion(messages);
  }

  private Conclusion conclusion(List<LogMessage> messages) {
    Conclusion.Builder conclusion =
        new Conclusion.Builder(message)
            .headline(who() + " was asked for an impossible size: " + written + ".")
            .certain(
                "No device has that much memory, so it is not about what else is live, and no"
                    + " setting of an allocator changes it.")
            .likely(
                "The program computed the size wrongly: a negative number, or one that overflowed,"
                    + " became a huge one, for instance in the shape of a tensor or in a product of"
                    + " dimensions."
                    + negative());
    if (message.kind().isWarning()) {
      conclusion.certain("The program went on without this memory.");
    }
    return conclusion
        .unknown("Which operation asked for it; the stack of the exception names it.")
        .next(new Advice("Look at the stack of the exception, and print the shapes there.", ""))
        .build()
        .about(messages);
  }

  /** What an unsigned number of 64 bits is as a negative one, unless rounding hides it. */
  private String negative() {
    Matcher number = NUMBER.matcher(written.replace(",", ""));
    if (!number.matches()) {
      return "";
    }
    String unit = number.group(2);
    BigDecimal digits = new BigDecimal(number.group(1));
    BigDecimal scale = BigDecimal.valueOf(unit.isEmpty() ? 1 : 1024L << (10 * UNITS.indexOf(unit)));
    BigDecimal below = WRAP.subtract(digits.multiply(scale));
    boolean isExact = unit.isEmpty();
    boolean isKnown =
        below.compareTo(isExact ? BigDecimal.ZERO : scale.movePointLeft(digits.scale())) > 0
            && below.compareTo(MOST_NEGATIVE) <= 0;
    return isKnown
        ? " As a signed number, it is "
            + (isExact ? "" : "about ")
            + "-"
            + ByteText.of(below.longValue())
            + "."
        : "";
  }

  /** The program, and its allocator if that wrote the message. */
  private String who() {
    Optional<String> allocator =
        message.written(FieldName.REQUESTED).flatMap(_ -> message.written(FieldName.ALLOCATOR));
    return message.kind().program() + allocator.map(name -> " " + name).orElse("");
  }
}
