package dev.vramscope.device.cuda;

import java.util.Set;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** The meaning of the driver's error codes ({@code CUresult}). */
final class CudaError {
  /** {@code CUDA_ERROR_TENSOR_MEMORY_LEAK}, which is newer than this JCuda. */
  private static final int TENSOR_MEMORY_LEAK = 721;

  /**
   * After these errors the context is unusable, and every later call returns the same error:
   * earlier work may not have run, and the contents of memory are undefined.
   */
  private static final Set<Integer> FATAL_ERRORS =
      Set.of(
          CUresult.CUDA_ERROR_DEINITIALIZED,
          CUresult.CUDA_ERROR_DEVICE_UNAVAILABLE,
          CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
          CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
          CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
          CUresult.CUDA_ERROR_LAUNCH_TIMEOUT,
          CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED,
          CUresult.CUDA_ERROR_ASSERT,
          CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
          CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION,
          CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
          CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE,
          CUresult.CUDA_ERROR_INVALID_PC,
          CUresult.CUDA_ERROR_LAUNCH_FAILED,
          TENSOR_MEMORY_LEAK,
          CUresult.CUDA_ERROR_MPS_CLIENT_TERMINATED,
          CUresult.CUDA_ERROR_EXTERNAL_DEVICE);

  private CudaError() {}

  static boolean isFatal(int result) {
    return FATAL_ERRORS.contains(result);
  }

  /** The name, the number and the driver's text: {@code CUDA_ERROR_INVALID_VALUE (1): ...}. */
  static String text(int result) {
    String[] name = new String[1];
    String[] text = new String[1];
    JCudaDriver.cuGetErrorName(result, name);
    JCudaDriver.cuGetErrorString(result, text);
    return "%s (%d)%s."
        .formatted(
            name[0] == null ? "unknown error" : name[0],
            result,
            text[0] == null ? "" : ": " + text[0]);
  }
}
