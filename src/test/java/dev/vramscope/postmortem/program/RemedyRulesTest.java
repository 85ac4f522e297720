package dev.vramscope.postmortem.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.TestData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RemedyRulesTest {
  private static final Path FOLDER = Path.of("src/main/resources/remedies");

  static Stream<RemedyRule> rules() {
    return RemedyRules.standard().stream();
  }

  @Test
  void indexListsEveryFile() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".json"))
              .map(name -> name.substring(0, name.length() - ".json".length()))
              .toList();
      assertThat(rules().map(RemedyRule::id)).containsExactlyInAnyOrderElementsOf(names);
    }
  }

  @ParameterizedTest
  @MethodSource("rules")
  void isComplete(RemedyRule rule) {
    assertThat(rule.condition().causes()).isNotEmpty();
    assertThat(rule.condition().leastShare()).isBetween(0.01, 1.0);
    assertThat(rule.saves()).isBetween(0.01, 1.0);
    assertThat(rule.source()).startsWith("https://");
    assertThat(rule.text().what()).isNotBlank().doesNotEndWith(".");
    assertThat(rule.text().action()).isNotBlank().doesNotEndWith(".");
    assertThat(rule.text().action().chars().filter(c -> c == '`').count() % 2).isZero();
    assertThat(
            Pattern.compile("\\{([^}]*)}")
                .matcher(rule.text().action() + rule.text().what())
                .results()
                .map(MatchResult::group))
        .isSubsetOf("{line}", "{caller}", "{frame}");
  }

  static Stream<RemedyRule> tried() {
    return rules().filter(rule -> rule.tried() != null);
  }

  /** What a remedy saved in a program is what the program's own runs show. */
  @ParameterizedTest
  @MethodSource("tried")
  void triedNumbersAreThoseOfTheRun(RemedyRule rule) throws IOException {
    RemedyRule.Tried tried = Objects.requireNonNull(rule.tried());
    Path truth = TestData.folder(tried.program()).resolve("truth.json");
    JsonNode run = JsonMapper.shared().readTree(Files.readString(truth));
    assertThat(tried.before())
        .isEqualTo(run.path("unlimitedCard").path("peakAllocatedBytes").asLong());
    assertThat(tried.after())
        .isEqualTo(run.path("fixVerified").path("peakAllocatedBytes").asLong())
        .isLessThan(run.path("totalBytes").asLong());
    assertThat(run.path("fixVerified").path("failedAtStep").isNull()).isTrue();
  }

  @Test
  void unknownNamesAreRefused() {
    assertThatThrownBy(() -> RemedyRules.of("x", "{\"part\": \"memory\"}"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RemedyRules.of("x", "{\"part\": \"live\", \"kind\": \"free\"}"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                RemedyRules.of(
                    "x", "{\"part\": \"live\", \"kind\": \"waste\", \"frames\": [\"name x\"]}"))
        .hasMessageContaining("three fields");
  }
}
