package dev.vramscope.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.vramscope.device.DeviceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** Our kernels ({@code native/kernels}), loaded into a context. */
final class KernelModule {
  private static final String RESOURCE = "vramscope.ptx";

  private static final int BLOCK_THREADS = 256;

  /** Each thread handles several words, which limits the size of the grid. */
  private static final long WORDS_PER_THREAD = 8;

  private static final int BLOCKS_PER_MULTIPROCESSOR = 8;

  private final CudaContext context;
  private final CUfunction fill;
  private final CUfunction verify;
  private final CUfunction spin;
  private final long maxBlocks;

  /**
   * Loads the kernels.
   *
   * @throws DeviceException if the driver does not accept them
   */
  KernelModule(CudaContext context) {
    this.context = context;
    CUmodule module = load(context);
    fill = function(module, "vramscope_fill");
    verify = function(module, "vramscope_verify");
    spin = function(module, "vramscope_spin");
    maxBlocks =
        BLOCKS_PER_MULTIPROCESSOR
            * (long) context.attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  }

  private static CUmodule load(CudaContext context) {
    CUmodule module = new CUmodule();
    try (Arena arena = Arena.ofShared()) {
      // The driver requires a terminating zero.
      byte[] text = text();
      MemorySegment image = arena.allocate(text.length + 1L);
      MemorySegment.copy(text, 0, image, JAVA_BYTE, 0, text.length);
      HostPointer start = HostPointer.of(image);
      HostPointer noValues = HostPointer.at(0);
      int[] noOptions = {};
      context.runBlocking(
          () -> JCudaDriver.cuModuleLoadDataEx(module, start, 0, noOptions, noValues),
          () -> "cuModuleLoadDataEx of " + RESOURCE);
    }
    return module;
  }

  private static byte[] text() {
    try (InputStream resource = KernelModule.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        throw new DeviceException("This build has no device code (" + RESOURCE + ").");
      }
      return resource.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CUfunction function(CUmodule module, String name) {
    CUfunction function = new CUfunction();
    context.run(
        () -> JCudaDriver.cuModuleGetFunction(function, module, name),
        () -> "cuModuleGetFunction of " + name);
    return function;
  }

  void fill(CUstream stream, long address, long bytes, long seed) {
    launch(fill, "vramscope_fill", blocks(bytes), stream, address, bytes, seed);
  }

  void verify(CUstream stream, long address, long bytes, long seed, long result) {
    launch(verify, "vramscope_verify", blocks(bytes), stream, address, bytes, seed, result);
  }

  void spin(CUstream stream, long nanos) {
    launch(spin, "vramscope_spin", 1, stream, nanos);
  }

  private int blocks(long bytes) {
    long threads = Math.ceilDiv(bytes, Long.BYTES * WORDS_PER_THREAD);
    return (int) Math.clamp(Math.ceilDiv(threads, BLOCK_THREADS), 1, maxBlocks);
  }

  /** The driver copies the parameters before the call returns. */
  private void launch(
      CUfunction function, String name, int blocks, CUstream stream, long... parameters) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocateFrom(JAVA_LONG, parameters);
      MemorySegment pointers = arena.allocate(ADDRESS, parameters.length);
      for (int i = 0; i < parameters.length; i++) {
        pointers.setAtIndex(ADDRESS, i, values.asSlice((long) i * Long.BYTES));
      }
      HostPointer list = HostPointer.of(pointers);
      context.run(
          () ->
              JCudaDriver.cuLaunchKernel(
                  function, blocks, 1, 1, BLOCK_THREADS, 1, 1, 0, stream, list, null),
          () -> "cuLaunchKernel of %s with %s".formatted(name, hex(parameters)));
    }
  }

  private static String hex(long[] values) {
    StringBuilder text = new StringBuilder();
    for (long value : values) {
      text.append(text.isEmpty() ? "0x" : ", 0x").append(Long.toHexString(value));
    }
    return text.toString();
  }
}
