package dev.vramscope.web.display;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShortNamesTest {
  private static final String PREFIX =
      "memory_snapshot_llama3-70b-pretrain-2026-11-20T03-12-44-run17-";

  @Test
  void shortNameIsWhole() {
    assertThat(ShortNames.of(List.of("run.pickle"), 44).of("run.pickle")).isEqualTo("run.pickle");
  }

  @Test
  void keepsWhatDistinguishesNamesWithALongCommonPrefix() {
    List<String> names =
        List.of(
            PREFIX + "rank-0003-step-1200.pickle",
            PREFIX + "rank-0004-step-1200.pickle",
            PREFIX + "rank-0004-step-1300.pickle");
    ShortNames shortNames = ShortNames.of(names, 44);
    assertThat(names.stream().map(shortNames::of).toList())
        .containsExactly(
            "memory_snaps…rank-0003-step-1200.pickle",
            "memory_snaps…rank-0004-step-1200.pickle",
            "memory_snaps…rank-0004-step-1300.pickle");
  }

  @Test
  void keepsTheTailWhenItDistinguishes() {
    String middle = "-" + "x".repeat(100) + "-";
    List<String> names =
        List.of(
            PREFIX + "rank-3" + middle + "a.pickle",
            PREFIX + "rank-3" + middle + "b.pickle",
            PREFIX + "rank-4" + middle + "a.pickle");
    ShortNames shortNames = ShortNames.of(names, 44);
    assertThat(names.stream().map(shortNames::of).distinct()).hasSize(3);
    assertThat(shortNames.of(names.get(1))).contains("rank-3").endsWith("-b.pickle").hasSize(44);
    assertThat(shortNames.of(names.get(2))).contains("rank-4").startsWith("memory_snaps…");
  }

  @Test
  void keepsAMiddlePartThatDistinguishes() {
    String tail = "-" + "x".repeat(100) + ".pickle";
    String other = PREFIX + "rank-4-of-the-job";
    List<String> names =
        List.of(
            PREFIX + "rank-3-" + "y".repeat(40) + "-a" + tail,
            PREFIX + "rank-3-" + "y".repeat(40) + "-b" + tail,
            other);
    ShortNames shortNames = ShortNames.of(names, 44);
    assertThat(names.stream().map(shortNames::of).distinct()).hasSize(3);
    assertThat(shortNames.of(names.get(1))).contains("…b-");
  }

  @Test
  void nameWithoutSimilarOnesLosesItsMiddle() {
    String name = "a".repeat(50) + "b".repeat(50);
    assertThat(ShortNames.of(List.of(name, "other"), 44).of(name))
        .isEqualTo("a".repeat(21) + "…" + "b".repeat(22));
  }

  @Test
  void shortenedNamesOfAListDiffer() {
    List<String> names =
        IntStream.range(0, 200)
            .mapToObj(i -> PREFIX + "rank-" + String.format("%04d", i) + "-of-the-whole-job.pickle")
            .toList();
    ShortNames shortNames = ShortNames.of(names, 40);
    assertThat(names.stream().map(shortNames::of).distinct().toList())
        .hasSize(200)
        .allMatch(name -> name.length() <= 40);
  }
}
