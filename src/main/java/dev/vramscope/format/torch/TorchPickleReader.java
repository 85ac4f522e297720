package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.PickleMachine;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.finding.FindingKind;
import java.io.IOException;
import java.io.InputStream;

/** Reads a snapshot written by {@code torch.cuda.memory._dump_snapshot}. */
public final class TorchPickleReader {
  private TorchPickleReader() {}

  /**
   * Reads the stream to its end.
   *
   * @throws FormatException if the pickle is malformed, is not a snapshot, or has an opcode that
   *     does more than build data
   */
  public static Snapshot read(InputStream in, ReadLimits limits)
      throws FormatException, IOException {
    SnapshotAssembler assembler = new SnapshotAssembler(limits);
    PickleMachine machine = new PickleMachine(in, limits, assembler.values(), assembler);
    long root = machine.run();
    // PyTorch's HTML pages pad the pickle with NUL bytes, which are not counted.
    assembler.findings().count(FindingKind.TRAILING_BYTES, machine.countTrailingBytes());
    return assembler.finish(root, "PyTorch snapshot (pickle protocol " + machine.protocol() + ")");
  }
}
