package dev.vramscope.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The driver's library, loaded into this process.
 *
 * <p>JCuda's library depends on a library named {@code libcuda.so.1}. The dynamic linker uses the
 * one that is already loaded, wherever it came from. So the driver, or the emulated one, is opened
 * first.
 */
final class DriverLibrary {
  /** The CUDA version of this JCuda; the API is compatible within a major version. */
  static final CudaVersion NEEDED = new CudaVersion(12, 0);

  /** A function that only the emulated driver has. */
  private static final String EMULATOR_SYMBOL = "vramscope_emulator_reset";

  /**
   * The functions used here, by their symbol names. JCuda binds functions at their first call, and
   * a missing one would terminate the process, so all are looked up in advance.
   */
  static final List<String> FUNCTIONS =
      List.of(
          "cuInit",
          "cuDriverGetVersion",
          "cuGetErrorName",
          "cuGetErrorString",
          "cuDeviceGet",
          "cuDeviceGetCount",
          "cuDeviceGetName",
          "cuDeviceGetAttribute",
          "cuDeviceGetPCIBusId",
          "cuDeviceTotalMem_v2",
          "cuDevicePrimaryCtxRetain",
          "cuDevicePrimaryCtxRelease_v2",
          "cuCtxSetCurrent",
          "cuCtxSynchronize",
          "cuMemAlloc_v2",
          "cuMemFree_v2",
          "cuMemGetInfo_v2",
          "cuMemAddressReserve",
          "cuMemAddressFree",
          "cuMemCreate",
          "cuMemMap",
          "cuMemSetAccess",
          "cuMemUnmap",
          "cuMemRelease",
          "cuMemGetAllocationGranularity",
          "cuMemHostAlloc",
          "cuMemFreeHost",
          "cuStreamCreate",
          "cuStreamDestroy_v2",
          "cuStreamSynchronize",
          "cuStreamWaitEvent",
          "cuEventCreate",
          "cuEventDestroy_v2",
          "cuEventRecord",
          "cuEventQuery",
          "cuEventSynchronize",
          "cuModuleLoadDataEx",
          "cuModuleGetFunction",
          "cuLaunchKernel",
          "cuMemsetD32Async",
          "cuMemcpyDtoHAsync_v2");

  /** The library stays loaded, and JCuda stays bound to it: there is only one per process. */
  private static @Nullable DriverLibrary opened;

  private final String path;
  private final SymbolLookup symbols;
  private final CudaVersion version;
  private final DirectCalls calls;

  private DriverLibrary(String path, SymbolLookup symbols, CudaVersion version) {
    this.path = path;
    this.symbols = symbols;
    this.version = version;
    this.calls = new DirectCalls(symbols);
  }

  CudaVersion version() {
    return version;
  }

  DirectCalls calls() {
    return calls;
  }

  ProcessList processes() {
    return isEmulated()
        ? new EmulatedProcesses(symbols)
        : new NvmlProcesses(NvmlProcesses.USUAL_LIBRARY);
  }

  boolean isEmulated() {
    return symbols.find(EMULATOR_SYMBOL).isPresent();
  }

  /**
   * Opens the driver's library and JCuda's.
   *
   * @param path a file, or the name of a library that the dynamic linker finds
   * @throws DriverUnavailableException if one of them cannot be loaded
   */
  static synchronized DriverLibrary open(String path) throws DriverUnavailableException {
    if (opened != null && opened.path.equals(path)) {
      return opened;
    }
    Arena arena = Arena.ofShared();
    boolean isKept = false;
    try {
      DriverLibrary library = find(path, arena);
      if (opened != null) {
        throw new DriverUnavailableException(
            new DriverStatus.Failed(
                "opening " + path,
                "that this process already uses %s. Restart to change it.".formatted(opened.path)));
      }
      JcudaLibrary.load();
      opened = library;
      isKept = true;
      return library;
    } finally {
      // An unusable library must be unloaded: JCuda would bind to it instead of to the next one.
      if (!isKept) {
        arena.close();
      }
    }
  }

  private static DriverLibrary find(String path, Arena arena) throws DriverUnavailableException {
    if (!System.getProperty("os.name").equals("Linux")
        || !System.getProperty("os.arch").equals("amd64")) {
      throw new DriverUnavailableException(
          new DriverStatus.Missing(
              "GPUs can be used only on Linux on x86-64.", "Simulated devices work everywhere."));
    }
    SymbolLookup symbols = lookup(path, arena);
    CudaVersion version = version(path, symbols);
    boolean complete = FUNCTIONS.stream().allMatch(name -> symbols.find(name).isPresent());
    if (version.compareTo(NEEDED) < 0 || !complete) {
      throw new DriverUnavailableException(new DriverStatus.TooOld(version, NEEDED));
    }
    return new DriverLibrary(path, symbols, version);
  }

  @SuppressWarnings("restricted") // This package loads the driver.
  private static SymbolLookup lookup(String path, Arena arena) throws DriverUnavailableException {
    try {
      return path.contains("/")
          ? SymbolLookup.libraryLookup(Path.of(path), arena)
          : SymbolLookup.libraryLookup(path, arena);
    } catch (IllegalArgumentException notFound) {
      throw new DriverUnavailableException(
          new DriverStatus.Missing(
              "There is no CUDA driver: the library %s cannot be opened.".formatted(path),
              "Install the NVIDIA driver, or name its library in the environment variable %s or the system property %s; simulated devices work without a GPU."
                  .formatted(CudaDriver.LIBRARY_VARIABLE, CudaDriver.LIBRARY_PROPERTY)));
    }
  }

  /** The CUDA version of the driver; the only call that needs neither a device nor JCuda. */
  @SuppressWarnings("restricted") // As above.
  private static CudaVersion version(String path, SymbolLookup symbols)
      throws DriverUnavailableException {
    MemorySegment function =
        symbols
            .find("cuDriverGetVersion")
            .orElseThrow(
                () ->
                    new DriverUnavailableException(
                        new DriverStatus.Failed(
                            "opening " + path,
                            "that the library has no cuDriverGetVersion, so it is no CUDA"
                                + " driver.")));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment version = arena.allocate(JAVA_INT);
      int result =
          (int)
              Linker.nativeLinker()
                  .downcallHandle(function, FunctionDescriptor.of(JAVA_INT, ADDRESS))
                  .invokeExact(version);
      if (result != 0) {
        throw new DriverUnavailableException(
            new DriverStatus.Failed("cuDriverGetVersion", "error " + result + "."));
      }
      return CudaVersion.of(version.get(JAVA_INT, 0));
    } catch (DriverUnavailableException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("A call to the driver threw.", e);
    }
  }
}
