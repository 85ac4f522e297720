package dev.vramscope.postmortem.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.postmortem.ChangedReplay;
import dev.vramscope.postmortem.ChangedReplays;
import dev.vramscope.postmortem.ExplainedCase;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.ReplayStatus;
import dev.vramscope.postmortem.cause.Verdict;
import dev.vramscope.postmortem.explanation.Remedy.Effect;
import dev.vramscope.postmortem.explanation.Remedy.Kind;
import dev.vramscope.postmortem.frees.FreePlan;
import dev.vramscope.whatif.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class RemediesTest {
  /** The settings of the rows of truth.json. */
  private static final Map<String, String> ROWS =
      Map.of(
          "expandable", "expandable_segments:True",
          "max_split_128", "max_split_size_mb:128",
          "max_split_512", "max_split_size_mb:512",
          "roundup_8", "roundup_power2_divisions:8");

  private final List<ExplainedCase> cases = ExplainedCase.all();

  /** Advice is replayed, not recited: it is what PyTorch's own allocator did. */
  @Test
  void aSettingIsAdvisedOnlyIfItGetsPastTheFailureInPyTorch() {
    int compared = 0;
    for (ExplainedCase found : cases) {
      String own =
          found.truth().snapshot().settings().flatMap(AllocatorSettings::configuration).orElse("");
      ChangedReplays tries = found.tries(found.report(OptionalLong.empty()));
      for (Map.Entry<String, String> row : ROWS.entrySet()) {
        JsonNode truth = found.truth().truth().path("underSettings").path(row.getKey());
        String line = Settings.with(own, row.getValue());
        for (ChangedReplay tried : tries.changed()) {
          if (!truth.isMissingNode()
              && tried.change().equals(new ChangedReplay.Change.Settings(line))) {
            Optional<Boolean> isPassed = isPassed(found, truth);
            compared += isPassed.isPresent() ? 1 : 0;
            assertThat(tried.passesFailure())
                .as("%s under %s", found.name(), line)
                .isEqualTo(isPassed.orElse(tried.passesFailure()));
          }
        }
      }
    }
    assertThat(compared).isGreaterThan(100);
  }

  /**
   * Whether the request was served. A program that got past it went on, and failed at a later step
   * or not at all; one that failed in the same step may have done so at a later request.
   */
  private static Optional<Boolean> isPassed(ExplainedCase found, JsonNode row) {
    if (row.has("fits")) {
      return Optional.of(row.path("fits").asBoolean());
    }
    JsonNode step = row.path("failedAtStep");
    long recorded = found.truth().number("failedAtStep", Long.MAX_VALUE);
    return step.isNull() || step.asLong() > recorded ? Optional.of(true) : Optional.empty();
  }

  @Test
  void settingsThatDoNotHelpAreNotAdvised() {
    for (ExplainedCase found : cases) {
      OomReport report = found.report(found.totalBytes());
      ChangedReplays tries = found.tries(report);
      ReplayedRemedies replayed =
          new ReplayedRemedies(
              report,
              tries,
              found.truth().device().trace(),
              new CodeLines(found.stacks()),
              Steps.Source.LOOPS);
      for (Remedy remedy : replayed.list()) {
        if (remedy.kind() == Remedy.Kind.EMPTY_CACHE) {
          assertThat(tries.changed())
              .filteredOn(tried -> !(tried.change() instanceof ChangedReplay.Change.Settings))
              .anyMatch(ChangedReplay::passesFailure);
          continue;
        }
        assertThat(remedy.settings().orElseThrow()).isNotEmpty();
        assertThat(tries.changed())
            .filteredOn(
                tried ->
                    tried.change() instanceof ChangedReplay.Change.Settings(String line)
                        && line.equals(remedy.settings().orElseThrow()))
            .allMatch(ChangedReplay::passesFailure)
            .hasSize(1);
      }
    }
  }

  /** What depends on where a step begins is said to stand on a guess, if it does. */
  @Test
  void remediesThatDependOnGuessedStepsSaySo() {
    int saidSo = 0;
    for (ExplainedCase found : cases) {
      OomReport report = found.report(found.totalBytes());
      ChangedReplays tries = found.tries(report);
      for (Steps.Source source : Steps.Source.values()) {
        List<Remedy> remedies =
            new ReplayedRemedies(
                    report,
                    tries,
                    found.truth().device().trace(),
                    new CodeLines(found.stacks()),
                    source)
                .list();
        for (Remedy remedy : remedies) {
          boolean isSaid = remedy.proof().text().contains("begins and ends is a guess");
          saidSo += isSaid ? 1 : 0;
          if (!source.isGuessed()) {
            assertThat(isSaid).as(found.name()).isFalse();
          } else if (remedy.kind() == Remedy.Kind.EMPTY_CACHE) {
            assertThat(isSaid).as(found.name()).isTrue();
          }
        }
      }
    }
    assertThat(saidSo).isPositive();
  }

  @Test
  void largerRoundingHelpsWhereExpandableSegmentsDoNot() {
    Explanation explanation = of("ooms/frag_segments_of_20").explanation(OptionalLong.empty());

    assertThat(explanation.remedies().first().orElseThrow().settings())
        .contains("roundup_power2_divisions:8");
  }

  @Test
  void aLimitIsRaisedFirstAndTheSettingsKeepTheOthers() {
    ExplainedCase found = of("ooms/fraction_and_pieces");
    List<Remedy> remedies = found.explanation(found.totalBytes()).remedies().ranked();

    assertThat(remedies.getFirst().kind()).isEqualTo(Kind.RAISE_LIMIT);
    assertThat(remedies.getFirst().effect()).isEqualTo(Effect.REMOVES_CAUSE);
    assertThat(remedies.get(1).settings())
        .contains("per_process_memory_fraction:0.5,expandable_segments:True");
  }

  @Test
  void aLargerDeviceIsTheLastResort() {
    for (ExplainedCase found : cases) {
      List<Remedy> remedies = found.explanation(OptionalLong.empty()).remedies().ranked();
      for (Remedy remedy : remedies.subList(0, Math.max(0, remedies.size() - 1))) {
        assertThat(remedy.kind()).as(found.name()).isNotEqualTo(Kind.LARGER_DEVICE);
      }
    }
  }

  @Test
  void twiceTheMemoryIsNotAdvised() {
    assertThat(of("ooms/absurd").explanation(OptionalLong.empty()).remedies().ranked())
        .extracting(Remedy::kind)
        .containsExactly(Kind.SMALLER_REQUEST);
  }

  @Test
  void whereNoSettingHelpsTheCheapestFreesAreTheNextStep() {
    Explanation explanation = of("ooms/frag_expandable_subpage").explanation(OptionalLong.empty());

    assertThat(explanation.nextStep().text())
        .startsWith(
            "Free 130 MiB before attention (model.py:99) asks for memory: 13 blocks allocated by"
                + " cache (kv.py:5). This empties 1 page range (260 MiB)");
    assertThat(explanation.remedies().ranked())
        .extracting(Remedy::kind)
        .containsExactly(Kind.CHEAPEST_FREES, Kind.SMALLER_REQUEST, Kind.LARGER_DEVICE);
  }

  @Test
  void freesAndTheLargestFitAreInTheListOfRemedies() {
    for (ExplainedCase found : cases) {
      Explanation explanation = found.explanation(OptionalLong.empty(), new ReplayStatus.Pending());
      OomReport report = found.report(OptionalLong.empty());
      assertThat(bytes(explanation, Kind.CHEAPEST_FREES))
          .as(found.name())
          .isEqualTo(
              report.frees().cheapest().plans().stream()
                  .limit(1)
                  .filter(plan -> plan.blockCount() <= 100)
                  .map(FreePlan::freedBytes)
                  .toList());
      if (report.verdict().cause() != Verdict.Cause.REQUEST_EXCEEDS_DEVICE) {
        assertThat(bytes(explanation, Kind.SMALLER_REQUEST))
            .as(found.name())
            .isSubsetOf(report.frees().largestFit().atLeastBytes());
      }
    }
  }

  /** The first size that the action names. */
  private static List<Long> bytes(Explanation explanation, Kind kind) {
    return explanation.remedies().ranked().stream()
        .filter(remedy -> remedy.kind() == kind)
        .map(
            remedy ->
                remedy.action().parts().stream()
                    .filter(Sentence.Bytes.class::isInstance)
                    .map(part -> ((Sentence.Bytes) part).bytes())
                    .findFirst()
                    .orElseThrow())
        .toList();
  }

  @Test
  void withoutReplaysTheNextStepSaysThatTheyAreMissing() {
    Explanation pending =
        of("ooms/frag_half").explanation(OptionalLong.empty(), new ReplayStatus.Pending());
    assertThat(pending.nextStep().text()).startsWith("A setting may solve this.");

    Explanation impossible =
        of("ooms/frag_half")
            .explanation(OptionalLong.empty(), new ReplayStatus.Impossible("It is too large."));
    assertThat(impossible.nextStep().text()).startsWith("Free 512 MiB before attention");
    assertThat(impossible.remedies().replays().text()).isEqualTo("It is too large.");
  }

  private ExplainedCase of(String name) {
    return cases.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }
}
