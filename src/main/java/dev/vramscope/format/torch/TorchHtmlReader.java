package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.PickleMachine;
import dev.vramscope.format.torch.FindingCounter.Issue;
import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads the snapshot inside a page of {@code torch.cuda._memory_viz} ({@code trace_plot}, {@code
 * segment_plot}): a pickle in base64, in a list of files. Of several, the first is read.
 */
public final class TorchHtmlReader {
  private TorchHtmlReader() {}

  /**
   * Reads the stream to its end.
   *
   * @throws FormatException when the page has no snapshot, or one that is refused
   */
  public static Snapshot read(InputStream in, ReadLimits limits)
      throws FormatException, IOException {
    EmbeddedFiles page = new EmbeddedFiles(in, limits);
    try {
      return read(page, limits);
    } catch (EmbeddedFiles.BrokenPageException broken) {
      throw broken.refusal();
    }
  }

  private static Snapshot read(EmbeddedFiles page, ReadLimits limits)
      throws FormatException, IOException {
    if (!page.next()) {
      throw new FormatException(
          Reason.NOT_A_SNAPSHOT,
          "this is an HTML page without a snapshot inside",
          "the whole page",
          "Upload the page that _memory_viz.py trace_plot wrote, or the pickle itself.");
    }
    SnapshotAssembler assembler = new SnapshotAssembler(limits);
    PickleMachine machine = new PickleMachine(page.file(), limits, assembler.values(), assembler);
    try {
      long root = machine.run();
      // The page's writer pads the pickle with NUL bytes: those are not counted.
      assembler.tally().count(Issue.TRAILING_BYTES, machine.countTrailingBytes());
      while (page.next()) {
        assembler.tally().count(Issue.MORE_SNAPSHOTS);
      }
      return assembler.finish(
          root, "PyTorch snapshot (HTML page, pickle protocol " + machine.protocol() + ")");
    } catch (FormatException refused) {
      throw refused.at("in the page's embedded pickle");
    }
  }
}
