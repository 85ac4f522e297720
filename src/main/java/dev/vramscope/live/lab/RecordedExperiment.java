package dev.vramscope.live.lab;

import dev.vramscope.model.Snapshot;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.RecordedScope;
import dev.vramscope.recorder.Recorder;
import java.time.InstantSource;

/**
 * A run of a script whose history is recorded, as a snapshot: the pages of a snapshot and its
 * post-mortem work on it. The latest label of the script is the stack of an allocation.
 */
public final class RecordedExperiment {
  /** Every operation has at most a few events, and a label is one frame. */
  private static final int MAX_CONTEXTS = 1 << 16;

  private RecordedExperiment() {}

  /** Runs the script up to its end. */
  public static Snapshot snapshot(Setup setup, Script script, InstantSource clock) {
    Recorder recorder = new Recorder(clock, System::nanoTime, MAX_CONTEXTS, MAX_CONTEXTS);
    recorder.recordHistory(HistorySettings.all().withMaxEvents(20 * Script.MAX_OPERATIONS));
    LabAllocator side = new LabAllocator(setup);
    side.recordOn(recorder);
    String label = "";
    for (Operation operation : script.operations()) {
      if (operation instanceof Operation.Label next) {
        label = next.label();
      }
      try (RecordedScope _ = recorder.scope(label.isEmpty() ? "lab" : label)) {
        side.apply(operation);
      }
    }
    return recorder.snapshot();
  }
}
