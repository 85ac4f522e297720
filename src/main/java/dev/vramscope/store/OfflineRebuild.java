package dev.vramscope.store;

import dev.vramscope.store.files.DataFolder;
import dev.vramscope.store.files.DataFolderException;
import dev.vramscope.store.files.SetAsideOriginals;
import dev.vramscope.store.files.StoreErrors;
import dev.vramscope.store.files.StoreSettings;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.SnapshotFilter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Rebuilds the database of a data folder while no service uses the folder. */
public final class OfflineRebuild {
  private OfflineRebuild() {}

  /**
   * What was done.
   *
   * @param snapshots snapshots that are in the new database
   * @param setAside the new file name of the old database, if there was one
   * @param unsaved originals that are only in this or an earlier database that was set aside
   * @param recovered the snapshots whose name and tags are lost, by id
   * @param damaged what is damaged
   */
  public record Result(
      long snapshots,
      Optional<String> setAside,
      List<SetAsideOriginals> unsaved,
      List<String> recovered,
      List<Damage> damaged) {
    /** Whether all that was stored is in the new database. */
    public boolean isComplete() {
      return unsaved.isEmpty() && recovered.isEmpty() && damaged.isEmpty();
    }
  }

  /**
   * Sets the database aside and makes another one from the originals. Originals that an older
   * release has stored in the database are moved to files first.
   *
   * @throws IOException if the folder has no stored data
   * @throws DataFolderException if another process uses the folder
   * @throws StoreUnavailableException if the disk is full, or rows could not be written
   */
  public static Result run(StoreSettings settings, OriginalReader reader) throws IOException {
    boolean hadDatabase = DataFolder.hasDatabase(settings.dataDir());
    if (!hadDatabase && !DataFolder.hasOriginals(settings.dataDir())) {
      throw new IOException(
          "The folder "
              + settings.dataDir()
              + " is not a data folder: it has neither a subfolder 'originals' nor a database.");
    }
    DataFolder folder = DataFolder.open(settings);
    try (folder;
        Database database = new Database(folder)) {
      StoreParts parts = StoreParts.of(folder, database, reader);
      database.requireWritable();
      if (hadDatabase && database.setAside().isEmpty()) {
        parts.maintenance().runToEnd();
        if (database.setAside().isEmpty()) { // It may have been replaced because it is damaged.
          parts.maintenance().replaceDatabase();
        }
      }
      parts.maintenance().runToEnd();
      StoreState.Progress progress = parts.state().progress();
      if (progress.total() > 0) {
        throw StoreErrors.notRebuilt(progress.total() - progress.done());
      }
      return new Result(
          parts.store().count(SnapshotFilter.newest(1)),
          database.setAside(),
          folder.unmoved().inSetAside(),
          parts.state().recovered(),
          parts.state().damages(0, Integer.MAX_VALUE));
    }
  }
}
