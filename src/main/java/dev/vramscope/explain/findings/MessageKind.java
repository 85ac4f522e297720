package dev.vramscope.explain.findings;

import java.util.Locale;

/** The program whose message was found, and what it reports. */
public enum MessageKind {
  /** A failed request of PyTorch's caching allocator. */
  TORCH(Role.FAILURE, "a failed request of PyTorch’s caching allocator"),
  /** A failed request with PyTorch's backend {@code cudaMallocAsync}. */
  TORCH_ASYNC(Role.FAILURE, "a failed request of PyTorch with backend:cudaMallocAsync"),
  /** A failed request of PyTorch on a Mac. */
  TORCH_MPS(Role.FAILURE, "a failed request of PyTorch on a Mac (MPS)"),
  /** An assertion that fails while PyTorch writes the message of a failed request. */
  TORCH_NVML(Role.FAILURE, "a failed request of PyTorch whose message could not be written"),
  /** A failed request of a program that XLA compiled, with the program's buffers or without. */
  XLA_OOM(Role.FAILURE, "a failed request of XLA"),
  /** A failed request of the allocator of XLA and TensorFlow, or a part of its dump. */
  BFC(Role.FAILURE, "a failed request of the BFC allocator of XLA or TensorFlow"),
  /** A request of that allocator whose caller did with less. */
  BFC_WARNING(Role.WARNING, "a request that the BFC allocator refused and the program did without"),
  /** The tensor for which TensorFlow had no memory. */
  TF_TENSOR(Role.FAILURE, "a tensor for which TensorFlow had no memory"),
  /** A program that does not fit into the memory of a TPU, found when it was compiled. */
  XLA_TPU(Role.FAILURE, "a program that is too large for the TPU’s memory"),
  /** A buffer that did not fit into the memory of a TPU. */
  XLA_TPU_RUNTIME(Role.FAILURE, "a buffer for which the TPU had no memory"),
  /** A single buffer that is larger than the memory. */
  XLA_SINGLE(Role.FAILURE, "a buffer that XLA could not place in the device’s memory"),
  /** A program whose compilation was given up. */
  XLA_ABORT(Role.FAILURE, "a program that XLA did not compile because of its memory"),
  /** A failed allocation of NVIDIA's communication library. */
  NCCL(Role.FAILURE, "a failed allocation of NCCL"),
  /** A failed request of RAPIDS' memory manager. */
  RMM(Role.FAILURE, "a failed request of RAPIDS’ memory manager (RMM)"),
  /** The events of RAPIDS' memory manager. */
  RMM_LOG(Role.REPORT, "an event log of RAPIDS’ memory manager (RMM)"),
  /** A failed request of CuPy's pool. */
  CUPY(Role.FAILURE, "a failed request of CuPy’s memory pool"),
  /** A failed request of ONNX Runtime's arena. */
  ONNXRUNTIME(Role.FAILURE, "a failed request of ONNX Runtime’s arena"),
  /** A failed allocation of llama.cpp. */
  LLAMA_CPP(Role.FAILURE, "a failed allocation of llama.cpp"),
  /** An error of the CUDA runtime or of HIP's, without numbers. */
  CUDA(Role.FAILURE, "an out-of-memory error of the driver, outside PyTorch’s allocator"),
  /** A failure of the host's memory. */
  HOST(Role.FAILURE, "the host’s memory ran out, not the GPU’s"),
  /** The table of {@code nvidia-smi}. */
  NVIDIA_SMI(Role.REPORT, "the output of nvidia-smi"),
  /** The totals by category over time that PyTorch's profiler exports. */
  TORCH_TIMELINE(Role.REPORT, "a memory timeline of torch.profiler"),
  /** The counters of {@code torch.cuda.memory_stats()}, as JSON or as Python prints them. */
  MEMORY_STATS(Role.REPORT, "PyTorch’s memory_stats"),
  /** The table of {@code torch.cuda.memory_summary()}. */
  MEMORY_SUMMARY(Role.REPORT, "PyTorch’s memory_summary");

  private enum Role {
    FAILURE,
    WARNING,
    REPORT
  }

  private final Role role;
  private final String label;

  MessageKind(Role role, String label) {
    this.role = role;
    this.label = label;
  }

  /** The text for sentences. */
  public String label() {
    return label;
  }

  /** Whether a request failed; false for warnings and for reports of the memory. */
  public boolean isFailure() {
    return role == Role.FAILURE;
  }

  /** Whether a program did without the memory that was refused. */
  public boolean isWarning() {
    return role == Role.WARNING;
  }

  /** The name in JSON. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
