package dev.vramscope.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.SharedFolder;
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

/** What the originals did, we do on the CUDA device too, over the emulated driver. */
class GoldenOnCudaTest {
  /** More than any trace takes, in small pages, so that pieces touch as the traces expect. */
  private static final long CARD_BYTES = 256L << 30;

  private static final long PAGE_BYTES = 4096;

  @TestFactory
  Stream<DynamicTest> cachingBehavesAsTheOriginal() throws IOException {
    List<GoldenCase> cases = GoldenCase.below(SharedFolder.require("golden/caching"));
    assertThat(cases).hasSizeGreaterThan(100);
    return cases.stream()
        .map(
            golden ->
                DynamicTest.dynamicTest(
                    golden.folder().getFileName().toString(),
                    () ->
                        assertEquals(
                            Optional.empty(),
                            golden.firstDifference(new CachingReplay(CudaTraceCard::new)))));
  }

  @TestFactory
  Stream<DynamicTest> bfcBehavesAsTheOriginal() throws IOException {
    List<GoldenCase> cases = GoldenCase.below(SharedFolder.require("golden/bfc"));
    assertThat(cases).hasSizeGreaterThan(100);
    return cases.stream()
        .map(
            golden ->
                DynamicTest.dynamicTest(
                    golden.folder().getFileName().toString(), () -> assertBfcBehaves(golden)));
  }

  private static void assertBfcBehaves(GoldenCase golden) throws IOException {
    SubAllocatorSettings settings = BfcReplay.deviceSettings(golden.config());
    try (CudaDevice card = CudaEmulator.ofBytes(CARD_BYTES, PAGE_BYTES).open()) {
      DeviceMemory memory = new MovedMemory(card.memory(), settings, PAGE_BYTES);
      assertEquals(Optional.empty(), golden.firstDifference(new BfcReplay(memory)));
    }
  }
}
