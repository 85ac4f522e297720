package dev.vramscope.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.device.cuda.CudaDevice;
import dev.vramscope.device.cuda.CudaEmulator;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Golden cases with every memory call repeated on a device of the emulated driver. */
class GoldenOnDeviceTest {
  private static final long MIB = 1L << 20;

  @Test
  void cachingCasesPassAndFreeAllDeviceMemory() throws IOException {
    CudaEmulator emulator = CudaEmulator.ofBytes(256L << 30);
    try (CudaDevice device = emulator.open()) {
      GoldenOnDevice.Results results =
          new GoldenOnDevice(device).replay(TestData.folder("golden/caching"));

      assertThat(results.failures()).isEmpty();
      assertThat(results.passed()).isGreaterThan(90);
      assertThat(emulator.usedBytes()).isZero();
    }
  }

  @Test
  void bfcCasesPassAndFreeAllDeviceMemory() throws IOException {
    CudaEmulator emulator = CudaEmulator.ofBytes(256L << 30);
    try (CudaDevice device = emulator.open()) {
      GoldenOnDevice.Results results =
          new GoldenOnDevice(device).replay(TestData.folder("golden/bfc"));

      assertThat(results.failures()).isEmpty();
      assertThat(results.passed()).isGreaterThan(50);
      assertThat(emulator.usedBytes()).isZero();
    }
  }

  @Test
  void casesThatNeedALargerDeviceAreSkipped() throws IOException {
    CudaEmulator emulator = CudaEmulator.ofBytes(64 * MIB);
    try (CudaDevice device = emulator.open()) {
      GoldenOnDevice.Results results =
          new GoldenOnDevice(device).replay(TestData.folder("golden/caching"));

      assertThat(results.failures()).isEmpty();
      assertThat(results.skipped()).isNotEmpty();
      assertThat(emulator.usedBytes()).isZero();
    }
  }
}
