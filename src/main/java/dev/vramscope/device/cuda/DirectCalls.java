package dev.vramscope.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.Objects;

/**
 * Calls that JCuda 12.6 gets wrong, and their counterparts, made directly to the driver's library.
 * Each returns a {@code CUresult}.
 *
 * <ul>
 *   <li>{@code cuMemCreate}, {@code cuMemGetAllocationGranularity}: JCuda reads the allocation
 *       flags from the wrong object. The request would be for tile pool memory, which is for sparse
 *       arrays only, with bytes of the stack in the reserved field. JCuda does not accept a page
 *       handle that was created elsewhere, so {@code cuMemMap} and {@code cuMemRelease} are here,
 *       too.
 *   <li>{@code cuMemSetAccess}: JCuda reads the location from the wrong object, so the driver
 *       rejects the call.
 *   <li>{@code cuMemHostAlloc}: JCuda wraps the memory in a {@code ByteBuffer}, which is limited to
 *       2 GiB; above that, the call throws and the memory is leaked.
 * </ul>
 */
final class DirectCalls {
  /** The called functions, by symbol name. A handle or size is a {@code long}. */
  static final Map<String, FunctionDescriptor> SIGNATURES =
      Map.of(
          "cuMemCreate",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG),
          "cuMemMap",
          FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          "cuMemSetAccess",
          FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG),
          "cuMemRelease",
          FunctionDescriptor.of(JAVA_INT, JAVA_LONG),
          "cuMemGetAllocationGranularity",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT),
          "cuMemHostAlloc",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
          "cuMemFreeHost",
          FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

  /** The size of {@code CUmemAllocationProp}. */
  private static final int PROPERTIES_BYTES = 32;

  private static final int LOCATION_TYPE_OFFSET = 8;
  private static final int LOCATION_ID_OFFSET = 12;

  /** {@code CU_MEM_ALLOCATION_TYPE_PINNED}. */
  private static final int PINNED = 1;

  /** {@code CU_MEM_LOCATION_TYPE_DEVICE}. */
  private static final int ON_DEVICE = 1;

  /** {@code CU_MEM_ACCESS_FLAGS_PROT_READWRITE}. */
  private static final int READ_AND_WRITE = 3;

  private final MethodHandle memCreate;
  private final MethodHandle memMap;
  private final MethodHandle memSetAccess;
  private final MethodHandle memRelease;
  private final MethodHandle memGetAllocationGranularity;
  private final MethodHandle memHostAlloc;
  private final MethodHandle memFreeHost;

  DirectCalls(SymbolLookup library) {
    memCreate = handle(library, "cuMemCreate");
    memMap = handle(library, "cuMemMap");
    memSetAccess = handle(library, "cuMemSetAccess");
    memRelease = handle(library, "cuMemRelease");
    memGetAllocationGranularity = handle(library, "cuMemGetAllocationGranularity");
    memHostAlloc = handle(library, "cuMemHostAlloc");
    memFreeHost = handle(library, "cuMemFreeHost");
  }

  @SuppressWarnings("restricted") // This package calls the driver.
  private static MethodHandle handle(SymbolLookup library, String name) {
    return Linker.nativeLinker()
        .downcallHandle(library.findOrThrow(name), Objects.requireNonNull(SIGNATURES.get(name)));
  }

  /** The properties of memory on a device: {@code CUmemAllocationProp}. */
  static MemorySegment propertiesOfDevice(Arena arena, int ordinal) {
    MemorySegment properties = arena.allocate(PROPERTIES_BYTES, Long.BYTES);
    properties.set(JAVA_INT, 0, PINNED);
    properties.set(JAVA_INT, LOCATION_TYPE_OFFSET, ON_DEVICE);
    properties.set(JAVA_INT, LOCATION_ID_OFFSET, ordinal);
    return properties;
  }

  /** Read and write access by a device: {@code CUmemAccessDesc}. */
  static MemorySegment accessByDevice(Arena arena, int ordinal) {
    return arena.allocateFrom(JAVA_INT, ON_DEVICE, ordinal, READ_AND_WRITE);
  }

  int memCreate(MemorySegment page, long bytes, MemorySegment properties) {
    try {
      return (int) memCreate.invokeExact(page, bytes, properties, 0L);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int memMap(long address, long bytes, long page) {
    try {
      return (int) memMap.invokeExact(address, bytes, 0L, page, 0L);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int memSetAccess(long address, long bytes, MemorySegment access) {
    try {
      return (int) memSetAccess.invokeExact(address, bytes, access, 1L);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int memRelease(long page) {
    try {
      return (int) memRelease.invokeExact(page);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** The minimum granularity, not the recommended one, as in PyTorch. */
  int memGetAllocationGranularity(MemorySegment granularity, MemorySegment properties) {
    try {
      return (int) memGetAllocationGranularity.invokeExact(granularity, properties, 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int memHostAlloc(MemorySegment address, long bytes) {
    try {
      return (int) memHostAlloc.invokeExact(address, bytes, 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int memFreeHost(long address) {
    try {
      return (int) memFreeHost.invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** A downcall itself does not throw. */
  private static AssertionError unexpected(Throwable e) {
    return new AssertionError("A call to the driver threw.", e);
  }
}
