package dev.vramscope.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import jcuda.driver.CUstream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** The controls of the emulated driver ({@code native/include/vramscope.h}). */
public final class CudaEmulator {
  /** The library built by {@code script/native}. */
  public static final Path LIBRARY =
      Path.of("target", "native", "emulator", "libcuda.so.1").toAbsolutePath();

  private static final long GRANULARITY_BYTES = 2L << 20;

  private final SymbolLookup symbols;

  private CudaEmulator(SymbolLookup symbols) {
    this.symbols = symbols;
  }

  /**
   * The emulated driver, reset to an empty device. Skips the calling test where it is not built.
   *
   * @param granularityBytes a power of two, at least 4096
   */
  @SuppressWarnings("restricted")
  public static CudaEmulator ofBytes(long bytes, long granularityBytes) {
    Assumptions.assumeTrue(
        Files.exists(LIBRARY),
        () -> "skipped: no emulated driver at " + LIBRARY + "; build it with script/native");
    CudaEmulator emulator = new CudaEmulator(SymbolLookup.libraryLookup(LIBRARY, Arena.global()));
    emulator.require("vramscope_emulator_reset");
    emulator.require("vramscope_emulator_configure", bytes, granularityBytes);
    return emulator;
  }

  /** A device with a granularity of 2 MiB. */
  public static CudaEmulator ofBytes(long bytes) {
    return ofBytes(bytes, GRANULARITY_BYTES);
  }

  /** The driver as the service uses it. */
  public CudaDriver driver() {
    return new CudaDriver(LIBRARY.toString());
  }

  /** Opens the device. */
  public CudaDevice open() {
    return driver().open(0);
  }

  public CudaEmulator external(long bytes) {
    require("vramscope_emulator_external", bytes);
    return this;
  }

  public long usedBytes() {
    return call("vramscope_emulator_used_bytes", JAVA_LONG);
  }

  /** Streams advance only by {@link #advance} or a synchronization. */
  public CudaEmulator manual() {
    require("vramscope_emulator_manual", 1);
    return this;
  }

  /** Executes up to the given number of steps of a stream. */
  public void advance(CudaDevice device, int stream, long steps) {
    MemorySegment handle = MemorySegment.ofAddress(handle(device, stream));
    if (call("vramscope_emulator_advance", JAVA_LONG, handle, steps) < 0) {
      throw new IllegalArgumentException("The emulated driver has no stream " + stream);
    }
  }

  /** JCuda exposes the handle only in its text form. */
  private static long handle(CudaDevice device, int stream) {
    CUstream handle = ((CudaStreams) device.streams()).stream(stream);
    String text = handle.toString();
    return Long.decode(text.substring(text.indexOf("0x"), text.indexOf(']')));
  }

  /**
   * Makes the nth call from now of a function fail.
   *
   * @param function its name without the version, such as {@code cuMemAlloc}; null counts all calls
   */
  public void fail(@Nullable String function, long nth, int result) {
    planFailure(function, nth, result, 0);
  }

  /** As {@link #fail}, and the device is lost from then on. */
  public void lose(@Nullable String function, long nth, int result) {
    planFailure(function, nth, result, 1);
  }

  private void planFailure(@Nullable String function, long nth, int result, int lost) {
    try (Arena arena = Arena.ofConfined()) {
      require("vramscope_emulator_fail", name(arena, function), nth, result, lost);
    }
  }

  public void delay(@Nullable String function, long micros) {
    try (Arena arena = Arena.ofConfined()) {
      require("vramscope_emulator_delay", name(arena, function), micros);
    }
  }

  /** The number of calls of a function so far; of all functions for null. */
  public long calls(@Nullable String function) {
    try (Arena arena = Arena.ofConfined()) {
      return call("vramscope_emulator_calls", JAVA_LONG, name(arena, function));
    }
  }

  public CudaEmulator process(long pid, long bytes) {
    require("vramscope_emulator_add_process", pid, bytes);
    return this;
  }

  private static MemorySegment name(Arena arena, @Nullable String function) {
    return function == null ? MemorySegment.NULL : arena.allocateFrom(function);
  }

  private void require(String function, Object... arguments) {
    long result = call(function, JAVA_INT, arguments);
    if (result != 0) {
      throw new IllegalStateException(function + " returned " + result);
    }
  }

  @SuppressWarnings("restricted")
  private long call(String function, MemoryLayout returnType, Object... arguments) {
    MemoryLayout[] layouts = new MemoryLayout[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      layouts[i] =
          switch (arguments[i]) {
            case Long l -> JAVA_LONG;
            case Integer n -> JAVA_INT;
            default -> ADDRESS;
          };
    }
    try {
      Object result =
          Linker.nativeLinker()
              .downcallHandle(
                  symbols.findOrThrow(function), FunctionDescriptor.of(returnType, layouts))
              .invokeWithArguments(arguments);
      return ((Number) result).longValue();
    } catch (Throwable e) {
      throw new AssertionError(function, e);
    }
  }
}
