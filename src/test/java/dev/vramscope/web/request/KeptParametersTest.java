package dev.vramscope.web.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class KeptParametersTest {
  private static KeptParameters kept() {
    MockHttpServletRequest request = new MockHttpServletRequest();
    request.setParameter("range", "1,000 to 1,200");
    request.setParameter("from", "5");
    request.setParameter("text", "a&b={c}");
    request.setParameter("other", "x");
    request.setParameter("sel", " ");
    return KeptParameters.of(request, "from", "range", "sel", "text", "by");
  }

  @Test
  void keepsTheNamedParametersThatHaveAValue() {
    assertThat(kept().values().keySet()).containsExactly("from", "range", "text");
    assertThat(kept().without("range").values().keySet()).containsExactly("from", "text");
  }

  @Test
  void changesOneInALinkAndEncodesAll() {
    assertThat(kept().with("by", "freed"))
        .isEqualTo("?from=5&range=1%2C000%20to%201%2C200&text=a%26b%3D%7Bc%7D&by=freed");
    assertThat(kept().without("text").with("from", "7"))
        .isEqualTo("?from=7&range=1%2C000%20to%201%2C200");
  }
}
