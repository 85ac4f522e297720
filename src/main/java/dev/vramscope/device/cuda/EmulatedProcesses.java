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

/**
 * The processes configured in the emulated driver ({@code native/include/vramscope.h}). For this
 * process, the memory that it has allocated is added, as NVML would report it.
 */
final class EmulatedProcesses implements ProcessList {
  private static final int MAX_PROCESSES = 64;

  private final MethodHandle processes;
  private final MethodHandle usedBytes;

  @SuppressWarnings("restricted") // This package calls the driver.
  EmulatedProcesses(SymbolLookup library) {
    processes =
        Linker.nativeLinker()
            .downcallHandle(
                library.findOrThrow("vramscope_emulator_processes"),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    usedBytes =
        Linker.nativeLinker()
            .downcallHandle(
                library.findOrThrow("vramscope_emulator_used_bytes"),
                FunctionDescriptor.of(JAVA_LONG));
  }

  /** The emulator uses pid 0 for this process, like {@link ProcessMemory#SELF}. */
  @Override
  public List<ProcessMemory> of(CudaDeviceInfo device) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pids = arena.allocate(JAVA_LONG, MAX_PROCESSES);
      MemorySegment bytes = arena.allocate(JAVA_LONG, MAX_PROCESSES);
      int count = (int) processes.invokeExact(pids, bytes, MAX_PROCESSES);
      long allocated = (long) usedBytes.invokeExact();
      List<ProcessMemory> list = new ArrayList<>();
      for (int i = 0; i < Math.min(count, MAX_PROCESSES); i++) {
        ProcessMemory process =
            new ProcessMemory(pids.getAtIndex(JAVA_LONG, i), bytes.getAtIndex(JAVA_LONG, i));
        list.add(
            process.isSelf()
                ? new ProcessMemory(process.pid(), process.usedBytes() + allocated)
                : process);
      }
      return list;
    } catch (Throwable e) {
      throw new AssertionError("A call to the driver threw.", e);
    }
  }
}
