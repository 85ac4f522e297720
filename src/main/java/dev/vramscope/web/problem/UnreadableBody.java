package dev.vramscope.web.problem;

import java.util.Collection;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Problems for invalid JSON bodies, without names of Java classes. */
final class UnreadableBody {
  private static final String NEXT = "Send a JSON object; /api/docs describes it.";

  /** Jackson's text on the source, which is not the location of the error. */
  private static final Pattern SOURCE = Pattern.compile(" ?\\([^()]*\\[Source: .*]\\)");

  /** Jackson's message, the only sign of this error. */
  private static final Pattern DUPLICATE =
      Pattern.compile("Duplicate Object property \"(.*)\"", Pattern.DOTALL);

  private UnreadableBody() {}

  static Problem problem(HttpMessageNotReadableException unreadable) {
    return switch (unreadable.getCause()) {
      case UnrecognizedPropertyException unknown ->
          problem(
              "Unknown member '" + unknown.getPropertyName() + "'",
              where(unknown),
              "Known members: "
                  + unknown.getKnownPropertyIds().stream()
                      .map(String::valueOf)
                      .sorted()
                      .collect(Collectors.joining(", "))
                  + ".");
      case InputCoercionException tooLarge ->
          problem("The number does not fit into " + bits(tooLarge), where(tooLarge), NEXT);
      case StreamReadException twice when duplicate(twice).matches() ->
          problem(
              "The member '" + duplicate(twice).replaceFirst("$1") + "' is there more than once",
              line(twice),
              "Send it once.");
      case StreamReadException syntax ->
          problem(
              "The body is not JSON: " + SOURCE.matcher(syntax.getOriginalMessage()).replaceAll(""),
              line(syntax),
              NEXT);
      case InvalidFormatException mismatch ->
          problem(
              "'" + mismatch.getValue() + "' is not " + expected(mismatch.getTargetType()),
              where(mismatch),
              NEXT);
      case MismatchedInputException more when isMoreThanOneValue(more) ->
          problem("The body has more than one value", where(more), NEXT);
      case MismatchedInputException mismatch ->
          problem("The value is not " + expected(mismatch.getTargetType()), where(mismatch), NEXT);
      case null, default -> problem("The request has no readable body", "body", NEXT);
    };
  }

  private static Matcher duplicate(StreamReadException failure) {
    return DUPLICATE.matcher(failure.getOriginalMessage());
  }

  private static String line(StreamReadException failure) {
    TokenStreamLocation location = failure.getLocation();
    return "line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  private static boolean isMoreThanOneValue(MismatchedInputException mismatch) {
    return mismatch.getOriginalMessage().startsWith("Trailing token");
  }

  private static String bits(InputCoercionException tooLarge) {
    return tooLarge.getTargetType() == int.class ? "32 bits" : "64 bits";
  }

  private static String expected(@Nullable Class<?> type) {
    if (type == null || Record.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
      return "an object";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    if (type == String.class) {
      return "a string";
    }
    if (type == Boolean.class) {
      return "true or false";
    }
    return type == Double.class ? "a number" : "a whole number";
  }

  private static String where(JacksonException failure) {
    String path =
        failure.getPath().stream()
            .map(
                step ->
                    step.getPropertyName() == null
                        ? "[" + step.getIndex() + "]"
                        : step.getPropertyName())
            .collect(Collectors.joining("."));
    return path.isEmpty() ? "body" : path;
  }

  private static Problem problem(String what, String where, String next) {
    return Problem.of(HttpStatus.BAD_REQUEST, "Invalid body", what, where, next);
  }
}
