package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchHtmlReader;
import dev.vramscope.format.torch.TorchJsonReader;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.InputStream;

/** The supported file formats, each with its reader. */
enum SniffedFormat {
  PICKLE,
  JSON,
  HTML;

  Snapshot read(InputStream in, ReadLimits limits) throws FormatException, IOException {
    return switch (this) {
      case PICKLE -> TorchPickleReader.read(in, limits);
      case JSON -> TorchJsonReader.read(in, limits);
      case HTML -> TorchHtmlReader.read(in, limits);
    };
  }
}
