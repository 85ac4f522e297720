package dev.vramscope.web;

import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Says what is wrong with a JSON body, without the names of our classes. */
final class UnreadableBody {
  private UnreadableBody() {}

  static Problem problem(HttpMessageNotReadableException unreadable) {
    return switch (unreadable.getCause()) {
      case UnrecognizedPropertyException unknown ->
          problem(
              "There is no member '" + unknown.getPropertyName() + "'",
              where(unknown),
              "Members are "
                  + unknown.getKnownPropertyIds().stream()
                      .map(String::valueOf)
                      .sorted()
                      .collect(Collectors.joining(", "))
                  + ".");
      case StreamReadException syntax ->
          problem(
              "The body is not JSON: " + syntax.getOriginalMessage(),
              "line "
                  + syntax.getLocation().getLineNr()
                  + ", column "
                  + syntax.getLocation().getColumnNr(),
              "Send a JSON object; /api/docs describes it.");
      case JacksonException misfit ->
          problem(
              "A value does not fit: "
                  + misfit
                      .getOriginalMessage()
                      .replaceAll("`?\\b(?:java|dev)\\.[\\w.$]+`?", "value"),
              where(misfit),
              "/api/docs describes what fits.");
      case null, default ->
          problem("The request has no body", "body", "Send a JSON object; /api/docs describes it.");
    };
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
    return Problem.of(HttpStatus.BAD_REQUEST, "Bad body", what, where, next);
  }
}
