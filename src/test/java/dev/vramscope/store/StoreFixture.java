package dev.vramscope.store;

import java.io.IOException;
import java.nio.file.Path;
import org.springframework.boot.health.contributor.Health;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.unit.DataSize;

/** A store assembled like that of the service, without Spring. */
public final class StoreFixture implements AutoCloseable {
  private static final long MAX_REBUILD_NANOS = 60_000_000_000L;

  private final DataFolder folder;
  private final Database database;
  private final StoreParts parts;

  public StoreFixture(Path dataDir) {
    this(dataDir, DataSize.ofMegabytes(64));
  }

  public StoreFixture(Path dataDir, DataSize minFree) {
    this(
        dataDir,
        minFree,
        (_, _) -> {
          throw new IOException("this test has no reader of originals");
        });
  }

  public StoreFixture(Path dataDir, DataSize minFree, OriginalReader reader) {
    folder = DataFolder.open(new StoreSettings(dataDir, minFree));
    database = new Database(folder);
    parts = StoreParts.of(folder, database, reader);
    parts.maintenance().start();
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

  /** Waits until a damaged database was set aside. */
  public void awaitReplaced() throws InterruptedException {
    long start = System.nanoTime();
    while (status().setAside().isEmpty()) {
      if (System.nanoTime() - start > MAX_REBUILD_NANOS / 6) {
        throw new AssertionError("not replaced: " + status());
      }
      Thread.sleep(10);
    }
  }

  /** Sets the database aside. */
  public void replaceDatabase() {
    parts.maintenance().replaceDatabase();
  }

  /** Waits until all rows that can be rebuilt are there. */
  public void awaitRebuilt() throws InterruptedException {
    long start = System.nanoTime();
    while (status().rebuilding() > 0) {
      if (System.nanoTime() - start > MAX_REBUILD_NANOS) {
        throw new AssertionError("not rebuilt: " + status());
      }
      Thread.sleep(10);
    }
  }

  /** Executes a statement that damages the database, or makes one of an older release. */
  public void execute(String sql) {
    JdbcClient.create(database).sql(sql).update();
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
