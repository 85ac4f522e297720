package dev.vramscope.web;

import dev.vramscope.TestExtent;
import java.util.List;
import java.util.stream.IntStream;

/** Values that hardly any parameter may have. */
final class WrongValues {
  static final List<String> OF_PARAMETERS =
      List.of(
          "",
          "abc",
          "-1",
          "0",
          "1",
          "2147483648",
          "99999999999999999999",
          "1e400",
          "NaN",
          "1,2",
          "\u0000",
          "\u001b[31m\r\nX: y",
          "\ud83d\ude00",
          "../../etc/passwd",
          "{\"a\":[",
          "%",
          "x".repeat(5000));

  /** Values of members, as JSON text. */
  static final List<String> OF_MEMBERS =
      List.of(
          "null",
          "true",
          "\"\"",
          "\"x\"",
          "\"\\u0000\\ud800\"",
          "-1",
          "0",
          "1.5",
          "9223372036854775807",
          "99999999999999999999",
          "1e400",
          "-1e-400",
          "[]",
          "{}",
          "[null]",
          "{\"\": null}",
          "[1, \"x\", {}]",
          "[".repeat(400) + "]".repeat(400),
          "[".repeat(3000) + "]".repeat(3000),
          "\"" + "x".repeat(70_000) + "\"");

  private WrongValues() {}

  /** Every fourth request: values and parameters are not in step with it. CI sends all. */
  static <T> List<T> chosen(List<T> requests) {
    int step = TestExtent.of(4, 1);
    return IntStream.range(0, requests.size())
        .filter(place -> place % step == 0)
        .mapToObj(requests::get)
        .toList();
  }
}
