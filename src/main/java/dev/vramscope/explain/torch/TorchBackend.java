package dev.vramscope.explain.torch;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.CollectionAdvice;

/** What differs between the kinds of device that PyTorch's caching allocator serves. */
enum TorchBackend {
  CUDA("PYTORCH_CUDA_ALLOC_CONF", "torch.cuda", "GPU", "the CUDA context"),
  HIP("PYTORCH_HIP_ALLOC_CONF", "torch.cuda", "GPU", "the HIP context"),
  XPU("PYTORCH_ALLOC_CONF", "torch.xpu", "XPU", "the context"),
  NPU("PYTORCH_NPU_ALLOC_CONF", "torch.npu", "NPU", "the context");

  /** Drivers of Intel's devices refuse larger allocations by default. */
  private static final long XPU_ALLOCATION_BYTES = 4L << 30;

  private final String variable;
  private final String module;
  private final String device;
  private final String context;

  TorchBackend(String variable, String module, String device, String context) {
    this.variable = variable;
    this.module = module;
    this.device = device;
    this.context = context;
  }

  /** The module of its functions. */
  String module() {
    return module;
  }

  /** What a device is called. */
  String device() {
    return device;
  }

  /** What a process holds on the device besides its allocations. */
  String context() {
    return context;
  }

  /** Whether the driver may refuse a request because of its size alone. */
  boolean limitsOneAllocation(Quantity requested) {
    return this == XPU && requested.leastBytes() > XPU_ALLOCATION_BYTES;
  }

  /** A snapshot with history, written when the next request fails. */
  Advice snapshot() {
    return new Advice(
        CollectionAdvice.TORCH_SNAPSHOT.text(),
        CollectionAdvice.TORCH_SNAPSHOT.code().replace("torch.cuda.memory", module + ".memory"));
  }

  /** The device of a message. */
  static TorchBackend of(LogMessage message) {
    return message.written(FieldName.BACKEND).map(TorchBackend::valueOf).orElse(CUDA);
  }

  /** The change of settings that joins free memory at different places. */
  Advice expandableSegments() {
    return new Advice(
        "Use expandable segments: free pieces at different places can then be used together."
            + " Whether it is enough depends on the order of all requests; only a replay of a"
            + " recorded trace proves it. "
            + (this == CUDA
                ? "From PyTorch 2.1 on, on Linux."
                : "Only recent releases of PyTorch have them for this kind of device."),
        variable + "=expandable_segments:True");
  }

  /** The same for a release of PyTorch that does not have the setting. */
  Advice newerWithExpandableSegments() {
    return new Advice(
        "Or update PyTorch: this message is that of a release before 2.1, which has no expandable"
            + " segments. With them, free pieces at different places can be used together.",
        variable + "=expandable_segments:True  # from PyTorch 2.1 on");
  }

  /** The setting that keeps large free blocks whole. */
  Advice unsplitBlocks() {
    return new Advice(
        "Keep large free blocks whole, so that small requests do not split them; or let sizes vary"
            + " less from step to step, for example in buckets of similar lengths. Whether it is"
            + " enough depends on the order of all requests.",
        variable + "=max_split_size_mb:512");
  }

  /** Why a request may fail although the device has enough free memory. */
  String refusal() {
    return this == XPU
        ? "The driver limits the size of one allocation, to 4 GiB on several devices, whatever is"
            + " free; or another process held the memory at the moment of the request."
        : "A limit that the message does not name, such as"
            + " torch.cuda.set_per_process_memory_fraction (PyTorch before 1.8 and from 2.1 to 2.8"
            + " does not print it), or a limit of the container; or another process held the memory"
            + " at the moment of the request.";
  }

  /** How to see who else uses the device. */
  Advice processes() {
    return switch (this) {
      case CUDA -> CollectionAdvice.PROCESSES;
      case HIP -> CollectionAdvice.ROCM_PROCESSES;
      case XPU -> CollectionAdvice.XPU_PROCESSES;
      case NPU -> CollectionAdvice.NPU_PROCESSES;
    };
  }
}
