package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.PickleMachine;
import dev.vramscope.format.torch.FindingCounter.Issue;
import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.InputStream;

/** Reads a snapshot as {@code torch.cuda.memory._dump_snapshot} pickles it. */
public final class TorchPickleReader {
  private TorchPickleReader() {}

  /**
   * Reads the stream to its end.
   *
   * @throws FormatException when the pickle is no snapshot, is damaged, or would do anything else
   *     than hold data
   */
  public static Snapshot read(InputStream in, ReadLimits limits)
      throws FormatException, IOException {
    SnapshotAssembler assembler = new SnapshotAssembler(limits);
    PickleMachine machine = new PickleMachine(in, limits, assembler.values(), assembler);
    long root = machine.run();
    // torch's own HTML pages pad the pickle with NUL bytes: those are not counted.
    assembler.tally().count(Issue.TRAILING_BYTES, machine.countTrailingBytes());
    return assembler.finish(root, "PyTorch snapshot (pickle protocol " + machine.protocol() + ")");
  }
}
