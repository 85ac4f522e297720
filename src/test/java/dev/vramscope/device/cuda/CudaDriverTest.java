package dev.vramscope.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.device.DeviceException;
import dev.vramscope.device.ProcessMemory;
import dev.vramscope.device.cuda.DriverStatus.Failed;
import dev.vramscope.device.cuda.DriverStatus.Missing;
import dev.vramscope.device.cuda.DriverStatus.Ready;
import dev.vramscope.device.cuda.DriverStatus.TooOld;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudaDriverTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final int NO_DEVICE = 100;
  private static final int SYSTEM_DRIVER_MISMATCH = 803;

  @TempDir Path folder;

  @Test
  void theEmulatedDriverIsReadyAndSaysWhatItIs() {
    Ready ready = assertInstanceOf(Ready.class, CudaEmulator.card(16 * GIB).driver().status());
    assertTrue(ready.emulated());
    assertEquals(1, ready.cards().size());
    assertEquals(16 * GIB, ready.cards().getFirst().bytes());
    assertThat(ready.text()).contains("emulated").contains("cuda:0").contains("16.0 GiB");
  }

  @Test
  void aMissingLibraryIsNoFailureAndSaysWhatToDo() {
    CudaDriver driver = new CudaDriver("/nowhere/libcuda.so.1");
    Missing missing = assertInstanceOf(Missing.class, driver.status());
    assertThat(missing.reason()).contains("/nowhere/libcuda.so.1");
    assertThat(missing.advice()).contains("Install").contains(CudaDriver.LIBRARY_PROPERTY);
    assertThat(assertThrows(DeviceException.class, () -> driver.open(0)))
        .hasMessageContaining("no CUDA driver");
  }

  @Test
  void aFileThatIsNoLibraryIsMissing() throws IOException {
    Path text = Files.writeString(folder.resolve("libcuda.so.1"), "not an ELF file");
    assertInstanceOf(Missing.class, new CudaDriver(text.toString()).status());
  }

  @Test
  void aLibraryThatIsNoDriverIsSaidToBeNone() throws Exception {
    Path library = SmallLibrary.of(folder, "libcuda.so.1", "int answer(void) { return 42; }");
    Failed failed = assertInstanceOf(Failed.class, new CudaDriver(library.toString()).status());
    assertThat(failed.text()).contains("no CUDA driver").contains(library.toString());
  }

  @Test
  void anOldDriverIsNamedWithTheVersionThatIsNeeded() throws Exception {
    Path library =
        SmallLibrary.of(
            folder,
            "libcuda.so.1",
            "int cuDriverGetVersion(int *version) { *version = 11040; return 0; }");
    TooOld old = assertInstanceOf(TooOld.class, new CudaDriver(library.toString()).status());
    assertEquals(new CudaVersion(11, 4), old.version());
    assertEquals(new CudaVersion(12, 0), old.needed());
    assertThat(old.text()).contains("11.4").contains("12.0");
  }

  @Test
  void aDriverWithoutCardsIsMissingUntilAskedAgain() {
    CudaEmulator emulator = CudaEmulator.card(GIB);
    CudaDriver driver = emulator.driver();
    emulator.fail("cuInit", 1, NO_DEVICE);
    Missing missing = assertInstanceOf(Missing.class, driver.status());
    assertThat(missing.text()).contains("no card").contains("nvidia-smi");
    assertInstanceOf(Missing.class, driver.status(), "remembered");
    assertInstanceOf(Ready.class, driver.lookAgain());
    driver.open(0).close();
  }

  @Test
  void aDriverThatFailsIsNamedWithCallAndError() {
    CudaEmulator emulator = CudaEmulator.card(GIB);
    emulator.fail("cuInit", 1, SYSTEM_DRIVER_MISMATCH);
    Failed failed = assertInstanceOf(Failed.class, emulator.driver().status());
    assertEquals("cuInit", failed.call());
    assertThat(failed.error()).contains("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)");
  }

  @Test
  void aCardThatCannotBeOpenedIsSaidSo() {
    CudaEmulator emulator = CudaEmulator.card(GIB);
    CudaDriver driver = emulator.driver();
    assertThat(assertThrows(DeviceException.class, () -> driver.open(1)))
        .hasMessageContaining("no card cuda:1");
    emulator.fail("cuDevicePrimaryCtxRetain", 1, 46);
    assertThat(assertThrows(DeviceException.class, () -> driver.open(0)))
        .hasMessageContaining("cuDevicePrimaryCtxRetain")
        .hasMessageContaining("CUDA_ERROR_DEVICE_UNAVAILABLE (46)");
    driver.open(0).close();
  }

  @Test
  void aSecondDriverInOneProcessIsRefused() throws IOException {
    CudaEmulator.card(GIB).driver().status();
    Path copy = Files.copy(CudaEmulator.LIBRARY, folder.resolve("libcuda.so.1"));
    Failed failed = assertInstanceOf(Failed.class, new CudaDriver(copy.toString()).status());
    assertThat(failed.text()).contains("already").contains(CudaEmulator.LIBRARY.toString());
  }

  /** A missing function would end the process at its first call. */
  @Test
  void everyFunctionThatIsLookedForIsOneThatJcudaOrWeCall() throws IOException {
    try (var library =
        CudaDriver.class.getResourceAsStream("/lib/libJCudaDriver-12.6.0-linux-x86_64.so")) {
      assertThat(library).isNotNull();
      String symbols = new String(library.readAllBytes(), StandardCharsets.ISO_8859_1);
      for (String function : DriverLibrary.FUNCTIONS) {
        assertThat(symbols.contains("\0" + function + "\0")).as(function).isTrue();
      }
    }
  }

  @Test
  void theProcessesOfTheEmulatedCardAreThoseItWasToldAndThisOneGrows() {
    CudaEmulator emulator = CudaEmulator.card(GIB).process(0, 100).process(4711, 200);
    try (CudaDevice device = emulator.open()) {
      assertEquals(
          List.of(new ProcessMemory(ProcessMemory.SELF, 100), new ProcessMemory(4711, 200)),
          device.processes());
      device.memory().allocate(4 * MIB);
      assertEquals(
          List.of(
              new ProcessMemory(ProcessMemory.SELF, 100 + 4 * MIB), new ProcessMemory(4711, 200)),
          device.processes());
    }
  }

  @Test
  void nvmlTellsTheProcessesOfACard() throws Exception {
    String source =
        """
        #include <stdint.h>
        #include <string.h>
        #include <unistd.h>
        struct process { uint32_t pid; uint64_t bytes; uint32_t instance, part; };
        int nvmlInit_v2(void) { return 0; }
        int nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **device) {
          *device = (void *)7;
          return strcmp(id, "0000:1B:00.0") == 0 ? 0 : 6;
        }
        int nvmlDeviceGetComputeRunningProcesses_v3(void *device, uint32_t *count, struct process *p) {
          if (*count < 100) { *count = 100; return 7; }
          *count = 3;
          p[0] = (struct process){getpid(), 100, 0, 0};
          p[1] = (struct process){4000000000u, 1ull << 40, 0, 0};
          p[2] = (struct process){5, ~0ull, 0, 0};
          return device == (void *)7 ? 0 : 2;
        }
        """;
    Path library = SmallLibrary.of(folder, "libnvidia-ml.so.1", source);
    NvmlProcesses nvml = new NvmlProcesses(library.toString());
    assertEquals(
        List.of(
            new ProcessMemory(ProcessMemory.SELF, 100),
            new ProcessMemory(4_000_000_000L, 1L << 40)),
        nvml.of(card("0000:1B:00.0")));
    assertThat(nvml.of(card("0000:2B:00.0"))).isEmpty();
    assertThat(nvml.of(card(""))).isEmpty();
    assertThat(new NvmlProcesses("libnvidia-ml-nowhere.so").of(card("0000:1B:00.0"))).isEmpty();
  }

  private static CudaCard card(String pciBusId) {
    return new CudaCard(0, "a card", GIB, new CudaVersion(9, 0), pciBusId);
  }
}
