package dev.vramscope.store;

import java.io.IOException;
import java.nio.file.Path;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.unit.DataSize;

/** A store assembled like that of the service, without Spring. */
public final class StoreFixture implements AutoCloseable {
  private final DataFolder folder;
  private final DatabasePool database;
  private final SnapshotStore store;

  public StoreFixture(Path dataDir) {
    this(dataDir, DataSize.ofMegabytes(64));
  }

  public StoreFixture(Path dataDir, DataSize minFree) {
    folder = DataFolder.open(new StoreSettings(dataDir, minFree));
    database = new DatabasePool(folder);
    Flyway.configure().dataSource(database).load().migrate();
    store = new SnapshotStore(folder, database);
  }

  public SnapshotStore store() {
    return store;
  }

  public Spool spool() {
    return folder.spool();
  }

  /** The number of rows in a table. */
  int rows(String table) {
    return JdbcClient.create(database)
        .sql("select count(*) from " + table)
        .query(Integer.class)
        .single();
  }

  @Override
  public void close() throws IOException {
    database.close();
    folder.close();
  }
}
