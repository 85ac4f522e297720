package dev.vramscope.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.SharedFolder;
import dev.vramscope.device.cuda.CudaDevice;
import dev.vramscope.device.cuda.CudaEmulator;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The golden cases with every memory call made on a second card, here of the emulated driver. */
class GoldenOnCardTest {
  private static final long MIB = 1L << 20;

  @Test
  void everyCallOfTheGoldenCasesIsGrantedByTheCardAndNothingIsLeftOnIt() throws IOException {
    CudaEmulator emulator = CudaEmulator.ofBytes(256L << 30);
    try (CudaDevice card = emulator.open()) {
      GoldenOnCard.Tally tally =
          new GoldenOnCard(card).replay(SharedFolder.require("golden/caching"));

      assertThat(tally.failures()).isEmpty();
      assertThat(tally.passed()).isGreaterThan(90);
      assertThat(emulator.usedBytes()).isZero();
    }
  }

  @Test
  void bfcCasesHoldTooWhereTheCardIsLargeEnough() throws IOException {
    CudaEmulator emulator = CudaEmulator.ofBytes(256L << 30);
    try (CudaDevice card = emulator.open()) {
      GoldenOnCard.Tally tally = new GoldenOnCard(card).replay(SharedFolder.require("golden/bfc"));

      assertThat(tally.failures()).isEmpty();
      assertThat(tally.passed()).isGreaterThan(50);
      assertThat(emulator.usedBytes()).isZero();
    }
  }

  @Test
  void aCaseThatAsksForMoreThanTheCardHasSaysNothingAboutIt() throws IOException {
    CudaEmulator emulator = CudaEmulator.ofBytes(64 * MIB);
    try (CudaDevice card = emulator.open()) {
      GoldenOnCard.Tally tally =
          new GoldenOnCard(card).replay(SharedFolder.require("golden/caching"));

      assertThat(tally.failures()).isEmpty();
      assertThat(tally.skipped()).isNotEmpty();
      assertThat(emulator.usedBytes()).isZero();
    }
  }
}
