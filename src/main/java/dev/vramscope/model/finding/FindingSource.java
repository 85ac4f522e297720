package dev.vramscope.model.finding;

/** What a finding is about. */
public enum FindingSource {
  PYTORCH("A file of PyTorch, or an export of vramscope"),
  RMM("A log of RMM"),
  PROFILER("A trace of torch.profiler"),
  PLOT("A page of trace_plot or segment_plot of 2022 or 2023"),
  JAX_PROFILE("A device memory profile of JAX"),
  BFC_DUMP("A dump of the BFC allocator in a log"),
  MEMORY_DUMP("A MemoryDump file of the BFC allocator"),
  BFC_EVENTS("An xplane.pb or a verbose log of the BFC allocator"),
  COMPILED("Texts of a compiled program"),
  RECORDER("A snapshot of a hosted allocator"),
  RECORDING("The recording of a device, in any format"),
  TRACE("Contradictions in a trace, or between a trace and the final state"),
  STATE("The reconstructed state after an event");

  private final String label;

  FindingSource(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
