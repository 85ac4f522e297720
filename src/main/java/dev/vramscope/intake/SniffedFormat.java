package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.bfclog.VerboseLogReader;
import dev.vramscope.format.plot.PlotPageReader;
import dev.vramscope.format.profiler.ProfilerTraceReader;
import dev.vramscope.format.rmm.RmmLogReader;
import dev.vramscope.format.torch.TorchHtmlReader;
import dev.vramscope.format.torch.TorchJsonReader;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.format.xla.BfcDumpReader;
import dev.vramscope.format.xla.DeviceMemoryProfileReader;
import dev.vramscope.format.xla.MemoryDumpReader;
import dev.vramscope.format.xplane.XplaneReader;
import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.InputStream;

/** The supported file formats, each with its reader. */
enum SniffedFormat {
  PICKLE("a pickle"),
  JSON("a JSON snapshot"),
  HTML("an HTML page"),
  /** A page of {@code trace_plot} or {@code segment_plot} of 2022 or 2023. */
  PLOT_PAGE("an HTML page"),
  /** A device memory profile of JAX. */
  PROFILE("a device memory profile of JAX"),
  /** A protocol buffer with the chunks of the BFC allocator. */
  MEMORY_DUMP("a MemoryDump of XLA’s or TensorFlow’s allocator"),
  /** A profile of XProf, with the events of an allocator. */
  XPLANE("a profile of XProf (xplane.pb)"),
  /** A log with a dump of the BFC allocator. */
  BFC_DUMP("a dump of the BFC allocator"),
  /** A log of the BFC allocator with its requests and frees. */
  VERBOSE_LOG("a verbose log of the BFC allocator"),
  /** An event log of RAPIDS' memory manager. */
  RMM_LOG("an event log of RMM"),
  /** Texts of XLA about a compiled program. */
  COMPILED("a text of a compiled program"),
  /** A text without a format of its own. */
  LOG("a log"),
  /** A trace of PyTorch's profiler with memory events. */
  PROFILER_TRACE("a trace of torch.profiler");

  private final String label;

  SniffedFormat(String label) {
    this.label = label;
  }

  /** Whether a file of this format is a log that people read, too. */
  boolean isLog() {
    return this == LOG || this == BFC_DUMP || this == VERBOSE_LOG || this == RMM_LOG;
  }

  /** The display name. */
  String label() {
    return label;
  }

  Snapshot read(InputStream in, ReadLimits limits) throws FormatException, IOException {
    return switch (this) {
      case PICKLE -> TorchPickleReader.read(in, limits);
      case JSON -> TorchJsonReader.read(in, limits);
      case HTML -> TorchHtmlReader.read(in, limits);
      case PLOT_PAGE -> PlotPageReader.read(in, limits);
      case PROFILE -> DeviceMemoryProfileReader.read(in, limits);
      case MEMORY_DUMP -> MemoryDumpReader.read(in, limits);
      case XPLANE -> XplaneReader.read(in, limits);
      case BFC_DUMP -> BfcDumpReader.read(in, limits);
      case VERBOSE_LOG -> VerboseLogReader.read(in, limits);
      case RMM_LOG -> RmmLogReader.read(in, limits);
      case COMPILED -> CompiledProgramFile.read(in, limits).asSnapshot();
      case LOG -> Snapshot.ofLog("");
      case PROFILER_TRACE -> ProfilerTraceReader.read(in, limits);
    };
  }
}
