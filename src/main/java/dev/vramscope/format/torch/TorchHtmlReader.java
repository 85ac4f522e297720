package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.PickleMachine;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.finding.FindingKind;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads the snapshot embedded in an HTML page of {@code torch.cuda._memory_viz} ({@code
 * trace_plot}, {@code segment_plot}): a base64 pickle in a list of files. Of several files, the
 * first is read.
 */
public final class TorchHtmlReader {
  private TorchHtmlReader() {}

  /**
   * Reads the stream to its end.
   *
   * @throws FormatException if the page has no snapshot or its snapshot is rejected
   */
  public static Snapshot read(InputStream in, ReadLimits limits)
      throws FormatException, IOException {
    EmbeddedFiles page = new EmbeddedFiles(in, limits);
    try {
      return read(page, limits);
    } catch (EmbeddedFiles.BrokenPageException broken) {
      throw broken.formatException();
    }
  }

  private static Snapshot read(EmbeddedFiles page, ReadLimits limits)
      throws FormatException, IOException {
    if (!page.next()) {
      throw new FormatException(
          Reason.NOT_A_SNAPSHOT,
          "this is an HTML page without an embedded snapshot",
          "the whole page",
          "Upload a page written by _memory_viz.py trace_plot, or the pickle itself.");
    }
    SnapshotAssembler assembler = new SnapshotAssembler(limits);
    PickleMachine machine = new PickleMachine(page.file(), limits, assembler.values(), assembler);
    try {
      long root = machine.run();
      // _memory_viz pads the pickle with NUL bytes, which are not counted.
      assembler.findings().count(FindingKind.TRAILING_BYTES, machine.countTrailingBytes());
      while (page.next()) {
        assembler.findings().count(FindingKind.MORE_SNAPSHOTS);
      }
      return assembler.finish(
          root, "PyTorch snapshot (HTML page, pickle protocol " + machine.protocol() + ")");
    } catch (FormatException rejected) {
      throw rejected.at("in the page's embedded pickle");
    }
  }
}
