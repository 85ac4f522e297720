package dev.vramscope.explain.torch;

import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;

/** PyTorch, of every release since 1.0 and every backend. */
public final class PyTorch implements MessageProducer {
  /** A failed request of the caching allocator. */
  public static final MessageKind TORCH =
      MessageKind.failure(
          "torch",
          Memory.DEVICE,
          "PyTorch’s caching allocator",
          "a failed request of PyTorch’s caching allocator");

  /** A failed request with the backend {@code cudaMallocAsync}. */
  public static final MessageKind TORCH_ASYNC =
      MessageKind.failure(
          "torch-async",
          Memory.DEVICE,
          "The driver’s allocator (backend:cudaMallocAsync)",
          "a failed request of PyTorch with backend:cudaMallocAsync");

  /** A failed request on a Mac. */
  public static final MessageKind TORCH_MPS =
      MessageKind.failure(
          "torch-mps",
          Memory.DEVICE,
          "PyTorch on a Mac (MPS)",
          "a failed request of PyTorch on a Mac (MPS)");

  /** An assertion that fails while PyTorch writes the message of a failed request. */
  public static final MessageKind TORCH_NVML =
      MessageKind.failure(
          "torch-nvml",
          Memory.DEVICE,
          "PyTorch’s caching allocator",
          "a failed request of PyTorch whose message could not be written");

  /** The totals by category over time that the profiler exports. */
  public static final MessageKind TORCH_TIMELINE =
      MessageKind.measurement(
          "torch-timeline", Memory.DEVICE, "PyTorch", "a memory timeline of torch.profiler");

  /** The counters of {@code torch.cuda.memory_stats()}, as JSON or as Python prints them. */
  public static final MessageKind MEMORY_STATS =
      MessageKind.measurement("memory-stats", Memory.DEVICE, "PyTorch", "PyTorch’s memory_stats");

  /** The table of {@code torch.cuda.memory_summary()}. */
  public static final MessageKind MEMORY_SUMMARY =
      MessageKind.measurement(
          "memory-summary", Memory.DEVICE, "PyTorch", "PyTorch’s memory_summary");

  @Override
  public String name() {
    return "PyTorch (CUDA, ROCm, XPU, NPU, MPS)";
  }

  @Override
  public List<MessageForm> forms() {
    return TorchForms.ALL;
  }

  @Override
  public List<MessageKind> otherKinds() {
    return List.of(TORCH_TIMELINE);
  }

  @Override
  public List<LogMessage> read(String text) {
    return ProfilerTimeline.read(text).stream().toList();
  }

  @Override
  public List<String> examples() {
    return List.of(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.31 GiB. GPU 2 has a total"
            + " capacity of 79.35 GiB of which 2.15 GiB is free. Process 40881 has 77.19 GiB memory"
            + " in use. Of the allocated memory 73.61 GiB is allocated by PyTorch, and 1.18 GiB is"
            + " reserved by PyTorch but unallocated.",
        "RuntimeError: CUDA out of memory. Tried to allocate 960.00 MiB (GPU 4; 79.15 GiB total"
            + " capacity; 76.31 GiB already allocated; 412.44 MiB free; 76.92 GiB reserved in total"
            + " by PyTorch)",
        "torch.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of"
            + " memory)\nCurrently allocated     : 3.68 GiB\nRequested               : 1.00"
            + " GiB\nDevice limit            : 8.00 GiB\nFree (according to CUDA): 12.00 MiB",
        "RuntimeError: MPS backend out of memory (MPS allocated: 31.18 GB, other allocations: 8.94"
            + " GB, max allowed: 36.27 GB). Tried to allocate 512 bytes on shared pool.");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    if (message.kind() == TORCH) {
      return TorchConclusion.of(message, context);
    }
    return message.kind() == TORCH_ASYNC
        ? TorchAsync.of(message, context)
        : TorchReports.of(message);
  }
}
