package dev.vramscope.web.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.store.listing.Tags;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

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

  @Test
  void rejectsAnInvalidPercentEscape() {
    assertThatThrownBy(() -> MetadataParameters.ofQuery("job=%zz"))
        .isInstanceOf(RefusedRequestException.class);
  }
}
