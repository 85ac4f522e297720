package dev.vramscope.explain;

/** What differs between the kinds of device that PyTorch's caching allocator serves. */
enum TorchBackend {
  CUDA("PYTORCH_CUDA_ALLOC_CONF"),
  HIP("PYTORCH_HIP_ALLOC_CONF"),
  XPU("PYTORCH_ALLOC_CONF"),
  NPU("PYTORCH_NPU_ALLOC_CONF");

  private final String variable;

  TorchBackend(String variable) {
    this.variable = variable;
  }

  /** The device of a message. */
  static TorchBackend of(Finding finding) {
    return finding.written(FieldName.BACKEND).map(TorchBackend::valueOf).orElse(CUDA);
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
    return this == HIP ? Collecting.ROCM_PROCESSES : Collecting.PROCESSES;
  }
}
