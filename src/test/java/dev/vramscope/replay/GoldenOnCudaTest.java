package dev.vramscope.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.TestData;
import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.cuda.CudaDevice;
import dev.vramscope.device.cuda.CudaEmulator;
import dev.vramscope.device.sim.SubAllocatorSettings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Golden cases on the CUDA device implementation over the emulated driver. */
class GoldenOnCudaTest {
  /** More than any trace needs, in small pages, so that regions are adjacent as traces expect. */
  private static final long DEVICE_BYTES = 256L << 30;

  private static final long PAGE_BYTES = 4096;

  @TestFactory
  Stream<DynamicTest> cachingRecordsMatchThoseOfPytorch() throws IOException {
    List<GoldenCase> cases = GoldenCase.below(TestData.folder("golden/caching"));
    assertThat(cases).hasSizeGreaterThan(100);
    return cases.stream()
        .map(
            golden ->
                DynamicTest.dynamicTest(
                    golden.folder().getFileName().toString(),
                    () ->
                        assertEquals(
                            Optional.empty(),
                            golden.firstDifference(new CachingTraceReplay(CudaTraceDevice::new)))));
  }

  @TestFactory
  Stream<DynamicTest> bfcRecordsMatchThoseOfXla() throws IOException {
    List<GoldenCase> cases = GoldenCase.below(TestData.folder("golden/bfc"));
    assertThat(cases).hasSizeGreaterThan(100);
    return cases.stream()
        .map(
            golden ->
                DynamicTest.dynamicTest(
                    golden.folder().getFileName().toString(), () -> assertBfcMatches(golden)));
  }

  private static void assertBfcMatches(GoldenCase golden) throws IOException {
    SubAllocatorSettings settings = BfcReplay.deviceSettings(golden.config());
    try (CudaDevice device = CudaEmulator.ofBytes(DEVICE_BYTES, PAGE_BYTES).open()) {
      DeviceMemory memory = new RelocatedMemory(device.memory(), settings, PAGE_BYTES);
      assertEquals(Optional.empty(), golden.firstDifference(new BfcReplay(memory)));
    }
  }
}
