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
  void emulatedDriverIsReadyAndDescribed() {
    Ready ready = assertInstanceOf(Ready.class, CudaEmulator.ofBytes(16 * GIB).driver().status());
    assertTrue(ready.emulated());
    assertEquals(1, ready.devices().size());
    assertEquals(16 * GIB, ready.devices().getFirst().bytes());
    assertThat(ready.text()).contains("emulated").contains("cuda:0").contains("16.0 GiB");
  }

  @Test
  void missingLibraryIsReportedWithAdvice() {
    CudaDriver driver = new CudaDriver("/nowhere/libcuda.so.1");
    Missing missing = assertInstanceOf(Missing.class, driver.status());
    assertThat(missing.reason()).contains("/nowhere/libcuda.so.1");
    assertThat(missing.advice()).contains("Install").contains(CudaDriver.LIBRARY_PROPERTY);
    assertThat(assertThrows(DeviceException.class, () -> driver.open(0)))
        .hasMessageContaining("no CUDA driver");
  }

  @Test
  void fileThatIsNotALibraryIsMissing() throws IOException {
    Path text = Files.writeString(folder.resolve("libcuda.so.1"), "not an ELF file");
    assertInstanceOf(Missing.class, new CudaDriver(text.toString()).status());
  }

  @Test
  void libraryWithoutDriverFunctionsFails() throws Exception {
    Path library = SmallLibrary.of(folder, "libcuda.so.1", "int answer(void) { return 42; }");
    Failed failed = assertInstanceOf(Failed.class, new CudaDriver(library.toString()).status());
    assertThat(failed.text()).contains("no CUDA driver").contains(library.toString());
  }

  @Test
  void oldDriverIsReportedWithRequiredVersion() throws Exception {
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
  void driverWithoutDevicesIsMissingUntilRefreshed() {
    CudaEmulator emulator = CudaEmulator.ofBytes(GIB);
    CudaDriver driver = emulator.driver();
    emulator.fail("cuInit", 1, NO_DEVICE);
    Missing missing = assertInstanceOf(Missing.class, driver.status());
    assertThat(missing.text()).contains("no device").contains("nvidia-smi");
    assertInstanceOf(Missing.class, driver.status(), "remembered");
    assertInstanceOf(Ready.class, driver.refresh());
    driver.open(0).close();
  }

  @Test
  void failingDriverIsReportedWithCallAndError() {
    CudaEmulator emulator = CudaEmulator.ofBytes(GIB);
    emulator.fail("cuInit", 1, SYSTEM_DRIVER_MISMATCH);
    Failed failed = assertInstanceOf(Failed.class, emulator.driver().status());
    assertEquals("cuInit", failed.call());
    assertThat(failed.error()).contains("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)");
  }

  @Test
  void reportsDeviceThatCannotBeOpened() {
    CudaEmulator emulator = CudaEmulator.ofBytes(GIB);
    CudaDriver driver = emulator.driver();
    assertThat(assertThrows(DeviceException.class, () -> driver.open(1)))
        .hasMessageContaining("no device cuda:1");
    emulator.fail("cuDevicePrimaryCtxRetain", 1, 46);
    assertThat(assertThrows(DeviceException.class, () -> driver.open(0)))
        .hasMessageContaining("cuDevicePrimaryCtxRetain")
        .hasMessageContaining("CUDA_ERROR_DEVICE_UNAVAILABLE (46)");
    driver.open(0).close();
  }

  @Test
  void rejectsSecondDriverInOneProcess() throws IOException {
    CudaEmulator.ofBytes(GIB).driver().status();
    Path copy = Files.copy(CudaEmulator.LIBRARY, folder.resolve("libcuda.so.1"));
    Failed failed = assertInstanceOf(Failed.class, new CudaDriver(copy.toString()).status());
    assertThat(failed.text()).contains("already").contains(CudaEmulator.LIBRARY.toString());
  }

  /** A missing function would terminate the process at its first call. */
  @Test
  void everyRequiredFunctionIsImportedByJcuda() throws IOException {
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
  void emulatedProcessesIncludeOwnAllocations() {
    CudaEmulator emulator = CudaEmulator.ofBytes(GIB).process(0, 100).process(4711, 200);
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
  void readsProcessesFromNvml() throws Exception {
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
        nvml.of(device("0000:1B:00.0")));
    assertThat(nvml.of(device("0000:2B:00.0"))).isEmpty();
    assertThat(nvml.of(device(""))).isEmpty();
    assertThat(new NvmlProcesses("libnvidia-ml-nowhere.so").of(device("0000:1B:00.0"))).isEmpty();
  }

  private static CudaDeviceInfo device(String pciBusId) {
    return new CudaDeviceInfo(0, "a GPU", GIB, new CudaVersion(9, 0), pciBusId);
  }
}
