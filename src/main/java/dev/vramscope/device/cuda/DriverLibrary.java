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
 * The driver's library, in this process.
 *
 * <p>JCuda's library needs one with the name {@code libcuda.so.1}. The dynamic linker takes the one
 * that is in the process already, wherever it came from: so the driver, or the emulated one, is
 * opened first.
 */
final class DriverLibrary {
  /** The CUDA that this JCuda was made for; drivers of one major version understand each other. */
  static final CudaVersion NEEDED = new CudaVersion(12, 0);

  /** A function that only the emulated driver has. */
  private static final String EMULATOR_MARK = "vramscope_emulator_reset";

  /**
   * What is called here, by its name in the library. JCuda's functions are bound at their first
   * call, and one that is missing would end the process: so all are looked for before.
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

  /** A library stays in its process, and JCuda stays with it: there is one, whoever opened it. */
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
    return symbols.find(EMULATOR_MARK).isPresent();
  }

  /**
   * Opens the driver's library and JCuda's.
   *
   * @param path a file, or the name of a library that the dynamic linker knows
   * @throws DriverTrouble if that cannot be
   */
  static synchronized DriverLibrary open(String path) throws DriverTrouble {
    if (opened != null && opened.path.equals(path)) {
      return opened;
    }
    Arena arena = Arena.ofShared();
    boolean kept = false;
    try {
      DriverLibrary library = find(path, arena);
      if (opened != null) {
        throw new DriverTrouble(
            new DriverStatus.Failed(
                "opening " + path,
                "that this process uses %s already. Restart to change it.".formatted(opened.path)));
      }
      JcudaLibrary.load();
      opened = library;
      kept = true;
      return library;
    } finally {
      // One that cannot be used must not stay: JCuda would find it instead of the next.
      if (!kept) {
        arena.close();
      }
    }
  }

  private static DriverLibrary find(String path, Arena arena) throws DriverTrouble {
    if (!System.getProperty("os.name").equals("Linux")
        || !System.getProperty("os.arch").equals("amd64")) {
      throw new DriverTrouble(
          new DriverStatus.Missing(
              "Cards can be used on Linux on x86-64 only.", "Simulated cards work everywhere."));
    }
    SymbolLookup symbols = lookup(path, arena);
    CudaVersion version = version(path, symbols);
    boolean complete = FUNCTIONS.stream().allMatch(name -> symbols.find(name).isPresent());
    if (version.compareTo(NEEDED) < 0 || !complete) {
      throw new DriverTrouble(new DriverStatus.TooOld(version, NEEDED));
    }
    return new DriverLibrary(path, symbols, version);
  }

  @SuppressWarnings("restricted") // Loading the driver is what this room is for.
  private static SymbolLookup lookup(String path, Arena arena) throws DriverTrouble {
    try {
      return path.contains("/")
          ? SymbolLookup.libraryLookup(Path.of(path), arena)
          : SymbolLookup.libraryLookup(path, arena);
    } catch (IllegalArgumentException notFound) {
      throw new DriverTrouble(
          new DriverStatus.Missing(
              "There is no CUDA driver: the library %s cannot be opened.".formatted(path),
              "Install the NVIDIA driver, or name its library in the environment variable %s or the system property %s; simulated cards work without."
                  .formatted(CudaDriver.LIBRARY_VARIABLE, CudaDriver.LIBRARY_PROPERTY)));
    }
  }

  /** What CUDA the driver is for; the one question that needs neither a card nor JCuda. */
  @SuppressWarnings("restricted") // As above.
  private static CudaVersion version(String path, SymbolLookup symbols) throws DriverTrouble {
    MemorySegment function =
        symbols
            .find("cuDriverGetVersion")
            .orElseThrow(
                () ->
                    new DriverTrouble(
                        new DriverStatus.Failed(
                            "opening " + path,
                            "with a library that has no cuDriverGetVersion: it is no CUDA"
                                + " driver.")));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment version = arena.allocate(JAVA_INT);
      int result =
          (int)
              Linker.nativeLinker()
                  .downcallHandle(function, FunctionDescriptor.of(JAVA_INT, ADDRESS))
                  .invokeExact(version);
      if (result != 0) {
        throw new DriverTrouble(
            new DriverStatus.Failed("cuDriverGetVersion", "error " + result + "."));
      }
      return CudaVersion.of(version.get(JAVA_INT, 0));
    } catch (DriverTrouble e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("A call to the driver threw.", e);
    }
  }
}
