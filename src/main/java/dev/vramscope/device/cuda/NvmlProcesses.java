package dev.vramscope.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.vramscope.device.ProcessMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that NVML reports, a library that comes with the driver (docs/decisions/0008).
 * Without NVML, or without permission to query it, the list is empty.
 */
final class NvmlProcesses implements ProcessList {
  /** The library's usual name. */
  static final String USUAL_LIBRARY = "libnvidia-ml.so.1";

  /** The called functions, by symbol name. */
  static final Map<String, FunctionDescriptor> SIGNATURES =
      Map.of(
          "nvmlInit_v2",
          FunctionDescriptor.of(JAVA_INT),
          "nvmlDeviceGetHandleByPciBusId_v2",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS),
          "nvmlDeviceGetComputeRunningProcesses_v3",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** {@code NVML_SUCCESS}, {@code NVML_ERROR_INSUFFICIENT_SIZE}. */
  static final int SUCCESS = 0;

  static final int INSUFFICIENT_SIZE = 7;

  /** {@code nvmlProcessInfo_t}: pid, 4 bytes of padding, bytes, two MIG instance ids. */
  static final int PROCESS_BYTES = 24;

  static final int MEMORY_OFFSET = 8;

  /** {@code NVML_VALUE_NOT_AVAILABLE}. */
  static final long UNKNOWN = -1;

  private static final int INITIAL_CAPACITY = 64;
  private static final Logger LOG = LoggerFactory.getLogger(NvmlProcesses.class);

  /** The two functions called for each query. */
  private record Calls(MethodHandle deviceByPciBusId, MethodHandle computeProcesses) {}

  private final String path;
  private @Nullable Calls calls;
  private boolean opened;

  NvmlProcesses(String path) {
    this.path = path;
  }

  @Override
  public synchronized List<ProcessMemory> of(CudaDeviceInfo device) {
    if (!opened) {
      opened = true;
      calls = open();
    }
    if (calls == null || device.pciBusId().isEmpty()) {
      return List.of();
    }
    try (Arena arena = Arena.ofConfined()) {
      return query(calls, device.pciBusId(), arena);
    } catch (Throwable e) {
      throw new AssertionError("A call to NVML threw.", e);
    }
  }

  @SuppressWarnings("restricted") // This package calls the driver.
  private @Nullable Calls open() {
    try {
      SymbolLookup library = SymbolLookup.libraryLookup(path, Arena.global());
      int result = (int) handle(library, "nvmlInit_v2").invokeExact();
      if (result != SUCCESS) {
        LOG.info("Processes on the GPUs are not available: nvmlInit returned {}", result);
        return null;
      }
      return new Calls(
          handle(library, "nvmlDeviceGetHandleByPciBusId_v2"),
          handle(library, "nvmlDeviceGetComputeRunningProcesses_v3"));
    } catch (IllegalArgumentException | NoSuchElementException e) {
      LOG.info("Processes on the GPUs are not available: {}", e.getMessage());
      return null;
    } catch (Throwable e) {
      throw new AssertionError("A call to NVML threw.", e);
    }
  }

  @SuppressWarnings("restricted") // As above.
  private static MethodHandle handle(SymbolLookup library, String name) {
    return Linker.nativeLinker()
        .downcallHandle(library.findOrThrow(name), Objects.requireNonNull(SIGNATURES.get(name)));
  }

  private static List<ProcessMemory> query(Calls calls, String pciBusId, Arena arena)
      throws Throwable {
    MemorySegment device = arena.allocate(ADDRESS);
    int lookup = (int) calls.deviceByPciBusId.invokeExact(arena.allocateFrom(pciBusId), device);
    if (lookup != SUCCESS) {
      return List.of();
    }
    MemorySegment count = arena.allocate(JAVA_INT);
    int capacity = INITIAL_CAPACITY;
    while (true) {
      MemorySegment processes = arena.allocate((long) capacity * PROCESS_BYTES, Long.BYTES);
      count.set(JAVA_INT, 0, capacity);
      int result =
          (int) calls.computeProcesses.invokeExact(device.get(ADDRESS, 0), count, processes);
      if (result == INSUFFICIENT_SIZE) {
        // Twice the reported count, as more processes may have started meanwhile.
        capacity = 2 * count.get(JAVA_INT, 0);
      } else {
        return result == SUCCESS ? read(processes, count.get(JAVA_INT, 0)) : List.of();
      }
    }
  }

  private static List<ProcessMemory> read(MemorySegment processes, int count) {
    long self = ProcessHandle.current().pid();
    List<ProcessMemory> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long at = (long) i * PROCESS_BYTES;
      long pid = Integer.toUnsignedLong(processes.get(JAVA_INT, at));
      long bytes = processes.get(JAVA_LONG, at + MEMORY_OFFSET);
      if (bytes != UNKNOWN) {
        list.add(new ProcessMemory(pid == self ? ProcessMemory.SELF : pid, bytes));
      }
    }
    return list;
  }
}
