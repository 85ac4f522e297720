package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.rmm.RmmLogReader;
import dev.vramscope.format.torch.TorchHtmlReader;
import dev.vramscope.format.torch.TorchJsonReader;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.format.xla.BfcDumpReader;
import dev.vramscope.format.xla.DeviceMemoryProfileReader;
import dev.vramscope.format.xla.MemoryDumpReader;
import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.InputStream;

/** The supported file formats, each with its reader. */
enum SniffedFormat {
  PICKLE,
  JSON,
  HTML,
  /** A device memory profile of JAX. */
  PROFILE,
  /** A protocol buffer with the chunks of the BFC allocator. */
  MEMORY_DUMP,
  /** A log with a dump of the BFC allocator. */
  BFC_DUMP,
  /** An event log of RAPIDS' memory manager. */
  RMM_LOG;

  Snapshot read(InputStream in, ReadLimits limits) throws FormatException, IOException {
    return switch (this) {
      case PICKLE -> TorchPickleReader.read(in, limits);
      case JSON -> TorchJsonReader.read(in, limits);
      case HTML -> TorchHtmlReader.read(in, limits);
      case PROFILE -> DeviceMemoryProfileReader.read(in, limits);
      case MEMORY_DUMP -> MemoryDumpReader.read(in, limits);
      case BFC_DUMP -> BfcDumpReader.read(in, limits);
      case RMM_LOG -> RmmLogReader.read(in, limits);
    };
  }
}
