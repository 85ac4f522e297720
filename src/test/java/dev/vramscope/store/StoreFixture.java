package dev.vramscope.store;

import static org.awaitility.Awaitility.await;

import dev.vramscope.store.files.DataFiles;
import dev.vramscope.store.files.DataFolder;
import dev.vramscope.store.files.DiskSpace;
import dev.vramscope.store.files.Spool;
import dev.vramscope.store.files.StoreErrors;
import dev.vramscope.store.files.StoreSettings;
import dev.vramscope.store.files.SyncedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.unit.DataSize;

/** A store assembled like that of the service, without Spring. */
public final class StoreFixture implements AutoCloseable {
  private static final Duration MAX_REBUILD = Duration.ofMinutes(1);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final OriginalReader NO_READER =
      (_, _) -> {
        throw new IOException("this test has no reader of originals");
      };

  private static final Path FULL = Path.of("probe" + SyncedFiles.TEMPORARY, "full");

  private final DataFolder folder;
  private final Database database;
  private final StoreParts parts;

  public StoreFixture(Path dataDir) {
    this(dataDir, DataSize.ofMegabytes(64));
  }

  public StoreFixture(Path dataDir, DataSize minFree) {
    this(dataDir, minFree, NO_READER);
  }

  public StoreFixture(Path dataDir, DataSize minFree, OriginalReader reader) {
    this(DataFolder.open(new StoreSettings(dataDir, minFree)), reader);
  }

  private StoreFixture(DataFolder folder, OriginalReader reader) {
    this.folder = folder;
    database = new Database(folder);
    parts = StoreParts.of(folder, database, reader);
    parts.maintenance().start();
  }

  /** A store on a disk that is full until {@link #freeDisk}. */
  static StoreFixture onFullDisk(Path dataDir) throws IOException {
    DataFolder folder = DataFolder.open(new StoreSettings(dataDir, DataSize.ofMegabytes(64)));
    // While this folder is not empty, the probe for free space can be neither written nor deleted.
    Files.createDirectories(dataDir.resolve(FULL));
    folder.space().stop(StoreErrors.diskFull("of a test"));
    return new StoreFixture(folder, NO_READER);
  }

  static void freeDisk(Path dataDir) throws IOException {
    Files.delete(dataDir.resolve(FULL));
  }

  /** Files in a folder that is not locked. */
  public static DataFiles files(Path dataDir, DataSize minFree) {
    return new DataFiles(dataDir, new DiskSpace(dataDir, minFree.toBytes()));
  }

  public SnapshotStore store() {
    return parts.store();
  }

  public Spool spool() {
    return folder.spool();
  }

  public StoreStatus.Report status() {
    return parts.status().report();
  }

  Health health() {
    return new StoreHealth(parts.status()).health();
  }

  /** Waits until this store has set a damaged database aside. */
  public void awaitReplaced() {
    await("the database is replaced")
        .pollInterval(POLL)
        .atMost(MAX_REBUILD.dividedBy(6))
        .until(() -> !database.setAside().isEmpty());
  }

  /** Sets the database aside. */
  public void replaceDatabase() {
    parts.maintenance().replaceDatabase();
  }

  /** Saves an original from a damaged database, without its row. */
  public void saveOriginal(String id) {
    parts.repair().saveOriginal(id);
  }

  /** Stops the maintenance, as the service does first when it stops. */
  public void stopMaintenance() {
    parts.maintenance().stop();
  }

  /** Waits until all rows that can be rebuilt are there. */
  public void awaitRebuilt() {
    await("all rows are rebuilt")
        .pollInterval(POLL)
        .atMost(MAX_REBUILD)
        .until(this::status, status -> status.rebuilding() == 0);
  }

  /** Executes a statement that damages the database, or makes one of an older release. */
  public void execute(String sql) {
    JdbcClient.create(database).sql(sql).update();
  }

  /** A connection to the database. */
  public Connection connection() throws SQLException {
    return database.getConnection();
  }

  /** The number of rows in a table. */
  public int rows(String table) {
    return JdbcClient.create(database)
        .sql("select count(*) from " + table)
        .query(Integer.class)
        .single();
  }

  @Override
  public void close() throws IOException {
    parts.maintenance().stop();
    database.close();
    folder.close();
  }
}
