package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Statement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Texts of many producers, with what a right answer says and what it does not. The README of the
 * folder says how the expectations are meant.
 */
class OwnTextsTest {
  private static final Map<String, Double> EXACT =
      Map.of("B", 1.0, "BYTE", 1.0, "BYTES", 1.0, "KIB", 0x1p10, "MIB", 0x1p20, "GIB", 0x1p30);

  /** Written for powers of 1000 and of 1024. */
  private static final Map<String, Integer> EITHER =
      Map.of("K", 1, "KB", 1, "M", 2, "MB", 2, "G", 3, "GB", 3, "T", 4, "TB", 4);

  private static final Pattern WRITTEN =
      Pattern.compile("\\s*([\\d,]+)(?:\\.(\\d+))?\\s*([A-Za-z]*)\\s*");

  private record Range(double from, double to) {}

  /** The sentences of an answer, one a line, each with its label. */
  private static String said(LogExplanation answer) {
    List<String> lines = new ArrayList<>();
    lines.add("summary: " + answer.summary());
    for (Conclusion conclusion : answer.conclusions()) {
      lines.add("what: " + conclusion.what());
      lines.add("headline: " + conclusion.headline());
      for (Statement statement : conclusion.statements()) {
        lines.add(statement.certaintyLabel() + ": " + statement.text());
      }
      conclusion.remedies().forEach(advice -> lines.add("remedy: " + said(advice)));
      conclusion.next().forEach(advice -> lines.add("next: " + said(advice)));
    }
    return String.join("\n", lines);
  }

  private static String said(Advice advice) {
    return (advice.text() + " " + advice.code()).strip().replaceAll("\\s+", " ");
  }

  private static List<Range> accepted(JsonNode field) {
    List<Range> ranges = new ArrayList<>();
    Matcher written = WRITTEN.matcher(field.path("written").asString());
    double want = field.path("bytes").asDouble();
    ranges.add(new Range(want, want));
    if (written.matches()) {
      String decimals = written.group(2) == null ? "" : written.group(2);
      double number = Double.parseDouble(written.group(1).replace(",", "") + "." + decimals + "0");
      String unit = written.group(3).toUpperCase(Locale.ROOT);
      boolean isLarge = unit.startsWith("G") || unit.startsWith("T");
      double step = decimals.isEmpty() ? (isLarge ? 0.1 : 1) : Math.pow(10, -decimals.length());
      List<Double> factors =
          EXACT.containsKey(unit)
              ? List.of(EXACT.get(unit))
              : EITHER.containsKey(unit)
                  ? List.of(Math.pow(1024, EITHER.get(unit)), Math.pow(1000, EITHER.get(unit)))
                  : List.of(1.0);
      for (double factor : factors) {
        double width = factor > 1 ? step * factor : 0;
        ranges.add(new Range(number * factor - width, number * factor + width));
      }
    }
    return ranges;
  }

  private static boolean isRead(JsonNode expected, LogExplanation answer, String said) {
    List<Field> fields =
        answer.conclusions().stream()
            .flatMap(conclusion -> conclusion.messages().stream())
            .flatMap(message -> message.fields().stream())
            .toList();
    if (expected.path("bytes").isNull()) {
      Pattern written =
          Pattern.compile(
              "(?<![\\d.])" + Pattern.quote(expected.path("written").asString()) + "(?!\\d)");
      return written.matcher(said).find()
          || fields.stream().anyMatch(field -> written.matcher(field.written()).find());
    }
    List<Range> ranges = accepted(expected);
    return fields.stream()
        .flatMap(field -> field.quantity().stream())
        .map(Quantity::bytes)
        .anyMatch(
            bytes ->
                ranges.stream()
                    .anyMatch(range -> bytes >= range.from - 0.5 && bytes <= range.to + 0.5));
  }

  private static boolean matches(JsonNode fact, String said) {
    for (JsonNode pattern : fact.path("anyOf")) {
      if (Pattern.compile(pattern.asString(), Pattern.CASE_INSENSITIVE | Pattern.MULTILINE)
          .matcher(said)
          .find()) {
        return true;
      }
    }
    return false;
  }

  /** What is wrong with the answer to a text; empty if nothing is. */
  static List<String> problems(Path text) throws IOException {
    JsonNode expected =
        JsonMapper.shared()
            .readTree(Files.readString(Path.of(text.toString().replaceFirst("\\.txt$", ".json"))));
    LogExplanation answer = LogExplanation.of(Files.readString(text));
    String said = said(answer);
    List<String> problems = new ArrayList<>();
    boolean isFailure = answer.conclusions().stream().anyMatch(Conclusion::isFailure);
    if (isFailure != expected.path("isFailure").asBoolean()) {
      problems.add("isFailure is " + isFailure);
    }
    for (JsonNode field : expected.path("fields")) {
      if (!isRead(field, answer, said)) {
        problems.add("not read: " + field);
      }
    }
    for (JsonNode fact : expected.path("mustSay")) {
      if (!matches(fact, said)) {
        problems.add("does not say: " + fact.path("fact").asString());
      }
    }
    for (JsonNode fact : expected.path("mustNotSay")) {
      if (matches(fact, said)) {
        problems.add("wrong: " + fact.path("fact").asString());
      }
    }
    if (!problems.isEmpty()) {
      problems.add(said);
    }
    return problems;
  }

  /** Texts of the second author of which a fact is not said; the README of the folder says why. */
  private static final Set<String> NOT_MET =
      Set.of(
          "06-kubernetes-oomkilled.txt",
          "08-pbs-job-killed.txt",
          "11-jax-bfc-resource-exhausted.txt",
          "12-ctranslate2-out-of-memory-no-size.txt",
          "14-own-wording-arena.txt");

  private static Map<String, List<String>> wrong(String folder) throws IOException {
    Map<String, List<String>> wrong = new TreeMap<>();
    try (Stream<Path> files = Files.list(TestData.folder(folder))) {
      for (Path text : files.filter(file -> file.toString().endsWith(".txt")).toList()) {
        List<String> problems = problems(text);
        if (!problems.isEmpty()) {
          wrong.put(String.valueOf(text.getFileName()), problems);
        }
      }
    }
    return wrong;
  }

  @Test
  void everyTextIsAnsweredRightly() throws IOException {
    assertThat(wrong("texts2")).isEmpty();
    assertThat(wrong("texts5")).isEmpty();
    assertThat(wrong("texts6")).isEmpty();
    assertThat(wrong("texts7")).isEmpty();
    assertThat(wrong("texts8")).isEmpty();
    assertThat(wrong("texts9")).isEmpty();
    assertThat(wrong("texts10")).isEmpty();
    assertThat(wrong("texts11")).isEmpty();
    assertThat(wrong("texts12")).isEmpty();
    assertThat(wrong("texts13")).isEmpty();
    assertThat(wrong("texts14")).isEmpty();
    assertThat(wrong("texts15")).isEmpty();
    assertThat(wrong("texts16")).isEmpty();
  }

  @Test
  void textsOfAnotherAuthorAreAnsweredAsBefore() throws IOException {
    Map<String, List<String>> wrong = wrong("texts4");
    assertThat(wrong.keySet()).isSubsetOf(NOT_MET);
    assertThat(wrong.values().stream().flatMap(List::stream))
        .noneMatch(problem -> problem.startsWith("isFailure") || problem.startsWith("wrong: "));
  }
}
