package dev.vramscope.web.uploads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.web.problem.RefusedRequestException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class UploadFileNameTest {
  @Test
  void headersWithoutAFileNameGiveNone() {
    assertThat(name("Accept", "*/*")).isNull();
    assertThat(name("X-Filename", " ")).isNull();
    assertThat(name("X-Filename", "/")).isNull();
    assertThat(name("Content-Disposition", "inline")).isNull();
  }

  @Test
  void headerXFilenameIsTheName() {
    assertThat(name("X-Filename", "rank0.pickle")).isEqualTo("rank0.pickle");
  }

  @Test
  void contentDispositionIsTheName() {
    assertThat(name("Content-Disposition", "attachment; filename=\"a b.pickle\""))
        .isEqualTo("a b.pickle");
    assertThat(name("Content-Disposition", "attachment; filename*=UTF-8''sp%C3%A4t.pickle"))
        .isEqualTo("spät.pickle");
  }

  @Test
  void utf8BytesInAHeaderAreDecoded() {
    assertThat(name("X-Filename", asTomcatDecodes("spät.pickle"))).isEqualTo("spät.pickle");
    assertThat(name("X-Filename", "sp\u00e4t.pickle")).isEqualTo("spät.pickle");
  }

  @Test
  void foldersAreCutOff() {
    assertThat(name("X-Filename", "/home/a/run.pickle")).isEqualTo("run.pickle");
    assertThat(name("X-Filename", "C:\\dumps\\run.pickle")).isEqualTo("run.pickle");
    assertThat(name("X-Filename", "../../etc/passwd")).isEqualTo("passwd");
    assertThat(name("X-Filename", "dumps/run/")).isEqualTo("run");
  }

  @Test
  void charactersThatCannotBeDisplayedAreLeftOut() {
    assertThat(name("X-Filename", asTomcatDecodes("run\u202egpj.pickle")))
        .isEqualTo("rungpj.pickle");
    assertThat(name("Content-Disposition", "attachment; filename*=UTF-8''a%E2%80%8Fb%0A.pickle"))
        .isEqualTo("ab.pickle");
    assertThat(name("X-Filename", asTomcatDecodes("\u200e\u2069"))).isNull();
  }

  @Test
  void rejectsAMalformedContentDisposition() {
    assertThatThrownBy(() -> name("Content-Disposition", "; ="))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessageContaining("Content-Disposition");
  }

  private static String asTomcatDecodes(String utf8) {
    return new String(utf8.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  private static @Nullable String name(String header, String value) {
    MockHttpServletRequest request = new MockHttpServletRequest();
    request.addHeader(header, value);
    return UploadFileName.of(request);
  }
}
