package dev.vramscope.store;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Path;
import org.flywaydb.core.Flyway;
import org.springframework.util.unit.DataSize;

/** A store in a folder, put together as the service does it, without the service. */
public final class StoreFixture implements AutoCloseable {
  private final DataFolder folder;
  private final HikariDataSource database;
  private final SnapshotStore store;

  public StoreFixture(Path dataDir) {
    this(dataDir, DataSize.ofMegabytes(64));
  }

  public StoreFixture(Path dataDir, DataSize minFree) {
    folder = DataFolder.open(new StoreSettings(dataDir, minFree));
    database = StoreConfiguration.dataSource(folder);
    Flyway.configure().dataSource(database).load().migrate();
    store = new SnapshotStore(folder, database);
  }

  public SnapshotStore store() {
    return store;
  }

  public Spool spool() {
    return folder.spool();
  }

  @Override
  public void close() throws IOException {
    database.close();
    folder.close();
  }
}
