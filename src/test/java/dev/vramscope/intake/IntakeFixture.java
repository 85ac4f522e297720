package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.StoreFixture;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.work.HeavyWork;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.util.unit.DataSize;

/** An intake with a store, assembled like that of the service, without Spring. */
public final class IntakeFixture implements AutoCloseable {
  public static final IntakeLimits LIMITS =
      new IntakeLimits(
          DataSize.ofGigabytes(8), DataSize.ofGigabytes(16), 1000, Duration.ofHours(2));

  private final StoreFixture store;
  private final Intake intake;

  public IntakeFixture(Path dataDir) {
    this(dataDir, LIMITS);
  }

  public IntakeFixture(Path dataDir, IntakeLimits limits) {
    this(dataDir, DataSize.ofMegabytes(64), limits);
  }

  public IntakeFixture(Path dataDir, DataSize minFree, IntakeLimits limits) {
    this(dataDir, minFree, limits, AnalysisLimit.ofThisHeap());
  }

  /** A store that is rebuilt with another heap than this one. */
  IntakeFixture(Path dataDir, DataSize minFree, IntakeLimits limits, AnalysisLimit analysisLimit) {
    IntakeSettings settings = new IntakeSettings(256, 192, 60);
    HeapBudget heap = IntakeConfiguration.heapBudget(settings);
    store = new StoreFixture(dataDir, minFree, new OriginalParser(heap, limits, analysisLimit));
    intake =
        new Intake(
            store.spool(),
            store.store(),
            heap,
            limits,
            settings,
            new HeavyWork(1, Duration.ofMinutes(1)),
            _ -> {});
  }

  public StoreFixture storeFixture() {
    return store;
  }

  public Intake intake() {
    return intake;
  }

  /** Stores a file without tags. */
  public StoredSnapshot upload(String name, byte[] file) throws IOException, FormatException {
    return intake
        .accept(
            new ByteArrayInputStream(file),
            new UploadRequest(name, Tags.NONE, DuplicateTags.KEEP, file.length))
        .snapshot();
  }

  public SnapshotStore store() {
    return store.store();
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
