package dev.vramscope.web.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.web.problem.RefusedRequestException;
import org.junit.jupiter.api.Test;

class SizeParameterTest {
  @Test
  void parsesTheSize() {
    assertThat(SizeParameter.of("bytes", "1.5 GiB")).hasValue(1610612736);
  }

  @Test
  void isEmptyIfMissingOrBlank() {
    assertThat(SizeParameter.of("bytes", null)).isEmpty();
    assertThat(SizeParameter.of("bytes", " ")).isEmpty();
  }

  @Test
  void rejectsTextThatIsNotASize() {
    assertThatThrownBy(() -> SizeParameter.of("bytes", "much"))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("bytes is much");
  }
}
