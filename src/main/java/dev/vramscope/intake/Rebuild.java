package dev.vramscope.intake;

import dev.vramscope.store.OfflineRebuild;
import dev.vramscope.store.files.StoreSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.util.unit.DataSize;

/** Rebuilds the database of a data folder from the original files. */
public final class Rebuild {
  private static final int HEAP_PERCENT = 60;
  // Every original was within the limits when it was uploaded.
  private static final IntakeLimits LIMITS =
      new IntakeLimits(
          DataSize.ofTerabytes(1), DataSize.ofTerabytes(1), Integer.MAX_VALUE, Duration.ofDays(1));

  private Rebuild() {}

  /**
   * Rebuilds the database; see {@link OfflineRebuild}.
   *
   * @param minFreeBytes free disk space that is not used
   */
  public static OfflineRebuild.Result run(Path dataDir, long minFreeBytes) throws IOException {
    HeapBudget heap =
        IntakeConfiguration.heapBudget(
            new IntakeSettings(
                /* maxReceiving= */ 1, /* maxReceivingPerAddress= */ 1, HEAP_PERCENT));
    return OfflineRebuild.run(
        new StoreSettings(dataDir, DataSize.ofBytes(minFreeBytes)),
        new OriginalParser(heap, LIMITS, AnalysisLimit.ofThisHeap()));
  }
}
