package dev.vramscope.explain.library;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.regex.Pattern;

/** Errors of the CUDA runtime and of HIP's, without numbers. */
public final class DriverErrors implements MessageProducer {
  /** An error without numbers. */
  public static final MessageKind CUDA =
      MessageKind.failure(
              "cuda",
              Memory.DEVICE,
              "The driver",
              "an out-of-memory error of the driver, outside PyTorch’s allocator")
          .asConsequence();

  private static final Pattern TORCH = Pattern.compile("(?i)torch");

  @Override
  public String name() {
    return "CUDA and HIP";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                CUDA,
                "(?:CUDA|HIP) error: out of memory|CUDA failed with error out of"
                    + " memory|cudaErrorMemoryAllocation(?! ?[=:;])|CUDA_ERROR_OUT_OF_MEMORY(?!"
                    + " ?[=;])|hipErrorOutOfMemory|CU(?:BLAS|DNN)_STATUS_ALLOC_FAILED|cudaMalloc"
                    + " (?:retry )?failed: out of memory|CL_MEM_OBJECT_ALLOCATION_FAILURE",
                "error: out of memory",
                "failed with error out of memory",
                "cudaErrorMemoryAllocation",
                "CUDA_ERROR_OUT_OF_MEMORY",
                "hipErrorOutOfMemory",
                "_STATUS_ALLOC_FAILED",
                "cudaMalloc failed",
                "cudaMalloc retry failed",
                "CL_MEM_OBJECT_ALLOCATION_FAILURE")
            // What a library reports that could not be started, whatever the reason.
            .words(FieldName.REASON, "(CU(?:BLAS|DNN)_STATUS_ALLOC_FAILED)"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "RuntimeError: CUDA error: out of memory",
        "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    conclusion.headline(
        "A call of the driver failed because the GPU’s memory was used up; the text has no sizes.");
    if (context.has(TORCH)) {
      conclusion
          .likely(
              "The failed call was not made by the framework’s allocator, whose own messages have"
                  + " numbers. CUDA contexts, graphs, kernels, cuBLAS, cuDNN and other libraries"
                  + " ask the driver themselves.")
          .likely(
              "The framework’s allocator had reserved nearly all of the device, or another process"
                  + " had; what is left was too little for the library.")
          .remedy(
              "Leave memory for libraries: limit the allocator.",
              "torch.cuda.set_per_process_memory_fraction(0.95)");
    } else {
      conclusion
          .likely(
              "The program, or another one on the same GPU, had taken nearly all of its memory.")
          .remedy(
              "Let the program need less: weights of a smaller type (8 bits) or a smaller model, a"
                  + " smaller batch, fewer beams, or shorter inputs.",
              "")
          .remedy("Or free the GPU: end other programs that use it.", "nvidia-smi");
    }
    conclusion
        .unknown(
            "What was requested, how much was free, and which call it was: errors of kernels are"
                + " reported at a later call.")
        .next(
            new Advice(
                "Run it once with synchronous kernels: the stack of the exception then names the"
                    + " call.",
                "CUDA_LAUNCH_BLOCKING=1"))
        .next(CollectionAdvice.PROCESSES);
    if (context.has(TORCH)) {
      conclusion.next(CollectionAdvice.TORCH_SNAPSHOT);
    }
    return conclusion.build();
  }
}
