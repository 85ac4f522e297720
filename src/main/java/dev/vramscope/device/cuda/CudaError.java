package dev.vramscope.device.cuda;

import java.util.Set;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** What the numbers mean that the driver answers ({@code CUresult}). */
final class CudaError {
  /** {@code CUDA_ERROR_TENSOR_MEMORY_LEAK}, which came after this JCuda. */
  private static final int TENSOR_MEMORY_LEAK = 721;

  /**
   * After these the context is broken, and every later call answers the same: the work before was
   * not done, and the memory cannot be relied on.
   */
  private static final Set<Integer> LOSSES =
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

  static boolean isLoss(int result) {
    return LOSSES.contains(result);
  }

  /** The name, the number and the driver's words: {@code CUDA_ERROR_INVALID_VALUE (1): ...}. */
  static String text(int result) {
    String[] name = new String[1];
    String[] words = new String[1];
    JCudaDriver.cuGetErrorName(result, name);
    JCudaDriver.cuGetErrorString(result, words);
    return "%s (%d)%s."
        .formatted(
            name[0] == null ? "an error without a name" : name[0],
            result,
            words[0] == null ? "" : ": " + words[0]);
  }
}
