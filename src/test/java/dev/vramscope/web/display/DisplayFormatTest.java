package dev.vramscope.web.display;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Trace;
import org.junit.jupiter.api.Test;

class DisplayFormatTest {
  private final DisplayFormat format = new DisplayFormat();

  @Test
  void bytesHaveAtMostTwoDecimalsAndABinaryUnit() {
    assertThat(format.bytes(0)).isEqualTo("0 B");
    assertThat(format.bytes(1023)).isEqualTo("1023 B");
    assertThat(format.bytes(1024)).isEqualTo("1 KiB");
    assertThat(format.bytes(1536)).isEqualTo("1.5 KiB");
    assertThat(format.bytes(805_306_368)).isEqualTo("768 MiB");
    assertThat(format.bytes(Long.MAX_VALUE)).isEqualTo("8 EiB");
  }

  @Test
  void roundingUpMovesToTheNextUnit() {
    assertThat(format.bytes((1L << 30) - 1)).isEqualTo("1 GiB");
  }

  @Test
  void onlyZeroIsShownAsZeroPercent() {
    assertThat(format.share(1, 1_000_000)).isEqualTo("under 0.1 %");
    assertThat(format.share(0, 10)).isEqualTo("0 %");
    assertThat(format.share(10, 10)).isEqualTo("100 %");
    assertThat(format.share(1, 0)).isEqualTo("–");
  }

  @Test
  void addressesAreUnsigned() {
    assertThat(format.hex(-512)).isEqualTo("0xfffffffffffffe00");
  }

  @Test
  void streamsAreShortNumbersOrHandles() {
    assertThat(format.stream(0)).isEqualTo("0");
    assertThat(format.stream(4095)).isEqualTo("4095");
    assertThat(format.stream(117440512)).isEqualTo("0x7000000");
    assertThat(format.stream(-1)).isEqualTo("0xffffffffffffffff");
  }

  @Test
  void missingTimeIsUnknown() {
    assertThat(format.timestamp(Trace.NO_TIME)).isEqualTo("unknown");
    assertThat(format.timestamp(1_777_365_830_342_270L)).isEqualTo("2026-04-28 08:43:50");
  }

  @Test
  void longNameKeepsItsStartAndEnd() {
    String name = "begin" + "x".repeat(3000) + "end";
    String shown = format.elided(name, 96);
    assertThat(shown).hasSize(96).startsWith("begin").contains("…").endsWith("end");
    assertThat(format.elided("short", 96)).isEqualTo("short");
  }

  @Test
  void fileNameIsTheLastElementOfAPath() {
    assertThat(format.fileName("train.py")).isEqualTo("train.py");
    assertThat(format.fileName("/home/a/train.py")).isEqualTo("train.py");
    assertThat(format.fileName("C:\\dumps\\run.pickle")).isEqualTo("run.pickle");
    assertThat(format.fileName("dumps/run/")).isEqualTo("run");
    assertThat(format.fileName("//")).isEmpty();
  }

  @Test
  void longTextIsCutAfterASentenceOrAWord() {
    String text = "Step 12: CUDA out of memory. Tried to allocate 24.00 MiB. GPU 0 has a capacity.";
    assertThat(format.sentences(text, 60))
        .isEqualTo("Step 12: CUDA out of memory. Tried to allocate 24.00 MiB.");
    assertThat(format.sentences(text, 20)).isEqualTo("Step 12: CUDA out…");
    assertThat(format.sentences("short", 20)).isEqualTo("short");
  }
}
