package dev.vramscope.web.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.store.listing.Tags;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetadataParametersTest {
  @Test
  void tagsComeFromTheQuery() {
    MetadataParameters given =
        MetadataParameters.ofQuery(
            "name=a%20b&job=llama+7b&rank=3&step=12&host=n1&labels=x,%20y,x&tag=z");
    assertThat(given.name()).isEqualTo("a b");
    assertThat(given.tags())
        .isEqualTo(new Tags("llama 7b", "3", "n1", 12L, List.of("x", "y", "z")));
  }

  @Test
  void noQueryMeansNoTags() {
    assertThat(MetadataParameters.ofQuery(null).tags()).isEqualTo(Tags.NONE);
    assertThat(MetadataParameters.ofQuery("job=&rank=%20").tags()).isEqualTo(Tags.NONE);
  }

  @Test
  void nonEmptyFormFieldOverridesTheQuery() {
    MetadataParameters given =
        MetadataParameters.ofQuery("job=query&rank=1")
            .with(Map.of("job", List.of("form"), "rank", List.of("")));
    assertThat(given.tags().job()).isEqualTo("form");
    assertThat(given.tags().rank()).isEqualTo("1");
  }

  @Test
  void stepIsAWholeNumber() {
    assertThatThrownBy(() -> MetadataParameters.ofQuery("step=1e3").tags())
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("step is 1e3");
  }

  /** Such characters would turn around the text beside a name, or break its line. */
  @ParameterizedTest
  @CsvSource({
    "%0A, U+000A",
    "%1B, U+001B",
    "%C2%85, U+0085",
    "%E2%80%8E, U+200E",
    "%E2%80%8F, U+200F",
    "%D8%9C, U+061C",
    "%E2%80%AA, U+202A",
    "%E2%80%AE, U+202E",
    "%E2%81%A6, U+2066",
    "%E2%81%A9, U+2069",
    "%E2%80%A8, U+2028",
    "%EF%BB%BF, U+FEFF"
  })
  void charactersThatCannotBeDisplayedAreRefused(String encoded, String character) {
    for (String parameter : List.of("name", "job", "rank", "host", "label")) {
      MetadataParameters given = MetadataParameters.ofQuery(parameter + "=a" + encoded + "b");
      assertThatThrownBy(
              () -> {
                given.name();
                given.tags();
              })
          .as(parameter)
          .isInstanceOf(RefusedRequestException.class)
          .hasMessageContaining(character);
    }
  }

  /** Letters that are joined, and scripts that are written from right to left, are text. */
  @Test
  void otherScriptsAreAccepted() {
    String name = "\u05d0\u05d1 \u0646\u200c\u0645 \ud83d\udc69\u200d\ud83d\udcbb";
    assertThat(MetadataLimits.checked(name)).isEqualTo(name);
  }

  @Test
  void rejectsAnInvalidPercentEscape() {
    assertThatThrownBy(() -> MetadataParameters.ofQuery("job=%zz"))
        .isInstanceOf(RefusedRequestException.class);
  }
}
