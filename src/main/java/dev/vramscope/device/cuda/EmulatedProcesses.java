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
 * The processes that the emulated driver was told to have ({@code native/include/vramscope.h}). To
 * what this one was said to hold comes what it was given, as with NVML.
 */
final class EmulatedProcesses implements ProcessList {
  private static final int MOST = 64;

  private final MethodHandle processes;
  private final MethodHandle usedBytes;

  @SuppressWarnings("restricted") // Calling the driver is what this room is for.
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

  /** Process 0 there is this one, as {@link ProcessMemory#SELF} is. */
  @Override
  public List<ProcessMemory> of(CudaCard card) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pids = arena.allocate(JAVA_LONG, MOST);
      MemorySegment bytes = arena.allocate(JAVA_LONG, MOST);
      int count = (int) processes.invokeExact(pids, bytes, MOST);
      long given = (long) usedBytes.invokeExact();
      List<ProcessMemory> list = new ArrayList<>();
      for (int i = 0; i < Math.min(count, MOST); i++) {
        ProcessMemory told =
            new ProcessMemory(pids.getAtIndex(JAVA_LONG, i), bytes.getAtIndex(JAVA_LONG, i));
        list.add(told.isSelf() ? new ProcessMemory(told.pid(), told.usedBytes() + given) : told);
      }
      return list;
    } catch (Throwable e) {
      throw new AssertionError("A call to the driver threw.", e);
    }
  }
}
