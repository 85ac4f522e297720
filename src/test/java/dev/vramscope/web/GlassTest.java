package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Trace;
import org.junit.jupiter.api.Test;

class GlassTest {
  private final Glass glass = new Glass();

  @Test
  void bytesHaveAtMostTwoDecimalsAndABinaryUnit() {
    assertThat(glass.bytes(0)).isEqualTo("0 B");
    assertThat(glass.bytes(1023)).isEqualTo("1023 B");
    assertThat(glass.bytes(1024)).isEqualTo("1 KiB");
    assertThat(glass.bytes(1536)).isEqualTo("1.5 KiB");
    assertThat(glass.bytes(805_306_368)).isEqualTo("768 MiB");
    assertThat(glass.bytes(Long.MAX_VALUE)).isEqualTo("8 EiB");
  }

  @Test
  void aRoundedThousandMovesToTheNextUnit() {
    assertThat(glass.bytes((1L << 30) - 1)).isEqualTo("1 GiB");
  }

  @Test
  void nothingButNothingIsZeroPercent() {
    assertThat(glass.share(1, 1_000_000)).isEqualTo("under 0.1 %");
    assertThat(glass.share(0, 10)).isEqualTo("0 %");
    assertThat(glass.share(10, 10)).isEqualTo("100 %");
    assertThat(glass.share(1, 0)).isEqualTo("–");
  }

  @Test
  void addressesAreUnsigned() {
    assertThat(glass.hex(-512)).isEqualTo("0xfffffffffffffe00");
  }

  @Test
  void aMissingTimeIsSaidToBeMissing() {
    assertThat(glass.moment(Trace.NO_TIME)).isEqualTo("unknown");
    assertThat(glass.moment(1_777_365_830_342_270L)).isEqualTo("2026-04-28 08:43:50");
  }

  @Test
  void aLongNameKeepsItsBeginningAndItsEnd() {
    String name = "begin" + "x".repeat(3000) + "end";
    String shown = glass.elided(name, 96);
    assertThat(shown).hasSize(96).startsWith("begin").contains("…").endsWith("end");
    assertThat(glass.elided("short", 96)).isEqualTo("short");
  }

  @Test
  void aLongTextIsCutAfterASentenceOrElseAfterAWord() {
    String text = "Step 12: CUDA out of memory. Tried to allocate 24.00 MiB. GPU 0 has a capacity.";
    assertThat(glass.sentences(text, 60))
        .isEqualTo("Step 12: CUDA out of memory. Tried to allocate 24.00 MiB.");
    assertThat(glass.sentences(text, 20)).isEqualTo("Step 12: CUDA out…");
    assertThat(glass.sentences("short", 20)).isEqualTo("short");
  }
}
