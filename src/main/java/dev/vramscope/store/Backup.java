package dev.vramscope.store;

import dev.vramscope.store.codec.Crc32c;
import dev.vramscope.store.files.DataFolder;
import dev.vramscope.store.files.OriginalFiles;
import dev.vramscope.store.files.OriginalStream;
import dev.vramscope.store.files.SetAsideOriginals;
import dev.vramscope.store.files.Sidecar;
import dev.vramscope.store.files.Sidecar.DamagedSidecarException;
import dev.vramscope.store.files.SyncedFiles;
import dev.vramscope.store.files.UnfinishedRestore;
import dev.vramscope.store.files.UnmovedOriginals;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Copies originals with their sidecars between a data folder and a backup, which has the same
 * layout. A service may use the data folder meanwhile: originals never change, and sidecars are
 * replaced atomically. Every file is verified when it is copied. One process at a time writes to a
 * target; what an interrupted one has left is completed by the next.
 */
public final class Backup {
  private static final int MAX_ATTEMPTS = 3;
  private static final long PAUSE_NANOS = 50_000_000;
  private static final String TEMPORARY = "copy-";

  /** What a backup does beyond copying. */
  public enum Option {
    /** Snapshots that were deleted in the data folder are deleted in the backup. */
    PRUNE,
    /** Files that the backup has already are read, and copied again if they are damaged. */
    VERIFY
  }

  private final OriginalFiles from;
  private final OriginalFiles to;
  private final Path target;
  private final boolean verify;
  private final boolean restoring;
  private final List<String> damaged = new ArrayList<>();
  private final List<String> kept = new ArrayList<>();
  private int copied;
  private int unchanged;
  private int deleted;

  private Backup(OriginalFiles from, Path target, boolean verify, boolean restoring)
      throws IOException {
    this.from = from;
    this.target = target;
    this.verify = verify;
    this.restoring = restoring;
    removeTemporary(target);
    to = OriginalFiles.open(target.resolve(DataFolder.ORIGINALS));
  }

  /**
   * What was done.
   *
   * @param copied files that were copied, or whose name and tags were
   * @param unchanged files that the target had already
   * @param deleted files that were deleted from the target
   * @param inDatabase snapshots of an older release that were not copied, because the data folder
   *     has no files of them yet
   * @param setAside originals of an older release that are only in databases that were set aside
   * @param damaged files and folders that are damaged or cannot be read and were not copied, with
   *     the reason
   * @param kept the SHA-256 of the unchanged files whose name and tags differ from the backup's
   */
  public record Result(
      int copied,
      int unchanged,
      int deleted,
      int inDatabase,
      List<SetAsideOriginals> setAside,
      List<String> damaged,
      List<String> kept) {
    /** Whether the target has all that the source has. */
    public boolean isComplete() {
      return inDatabase == 0 && setAside.isEmpty() && damaged.isEmpty();
    }
  }

  /**
   * Copies what is new or changed in a data folder. What the backup has of a file that is damaged
   * or cannot be read in the data folder is kept. Errors of reading one file do not end the run.
   *
   * @param options what it does beyond copying
   */
  public static Result backUp(Path dataDir, Path backup, Set<Option> options) throws IOException {
    if (!DataFolder.hasOriginals(dataDir) && DataFolder.hasDatabase(dataDir)) {
      throw new IOException(
          "The folder "
              + dataDir
              + " is one of an older release, with all snapshots in its database. Start the service"
              + " on it once: it moves them to files while it runs. Then run the backup again.");
    }
    OriginalFiles from = existing(dataDir);
    Files.createDirectories(backup);
    try (FileChannel _ = DataFolder.lock(backup)) {
      Backup run =
          new Backup(from, backup, options.contains(Option.VERIFY), /* restoring= */ false);
      // Before the list: originals that are moved in the meantime may not be in it.
      UnmovedOriginals unmoved = new UnmovedOriginals(dataDir);
      int inDatabase = unmoved.count();
      OriginalFiles.Listing listing = run.from.list();
      run.copyAll(listing);
      if (options.contains(Option.PRUNE)) {
        run.prune(listing);
      }
      return run.result(inDatabase, unmoved.inSetAside());
    }
  }

  /**
   * Copies a backup to an empty or new data folder, or continues that after an interruption or with
   * files that were damaged, and verifies the SHA-256 of every file. Intact files of the data
   * folder keep their name and tags. The first start of the service builds the database; a restore
   * cannot be continued after it.
   *
   * @throws IOException if the data folder is not empty, or has been used
   */
  public static Result restore(Path backup, Path dataDir) throws IOException {
    OriginalFiles from = existing(backup);
    UnfinishedRestore unfinished = new UnfinishedRestore(dataDir);
    Files.createDirectories(dataDir);
    unfinished.requireUnused();
    try (FileChannel _ = DataFolder.lock(dataDir)) {
      unfinished.requireUnused(); // A service may have been started meanwhile.
      unfinished.begin();
      Backup run = new Backup(from, dataDir, /* verify= */ true, /* restoring= */ true);
      run.copyAll(from.list());
      Result result = run.result(/* inDatabase= */ 0, /* setAside= */ List.of());
      if (result.isComplete()) {
        unfinished.complete();
      }
      return result;
    }
  }

  private static void removeTemporary(Path folder) throws IOException {
    String files = TEMPORARY + "*" + SyncedFiles.TEMPORARY;
    try (DirectoryStream<Path> interrupted = Files.newDirectoryStream(folder, files)) {
      for (Path file : interrupted) {
        Files.delete(file);
      }
    }
  }

  private static OriginalFiles existing(Path folder) throws IOException {
    if (!DataFolder.hasOriginals(folder)) {
      throw new IOException(
          (Files.isDirectory(folder)
                  ? "the folder " + folder + " has no subfolder 'originals'"
                  : "there is no folder " + folder)
              + ". A data folder of the service has one, and so has a backup that the command"
              + " backup made.");
    }
    return OriginalFiles.open(folder.resolve(DataFolder.ORIGINALS));
  }

  private Result result(int inDatabase, List<SetAsideOriginals> setAside) {
    return new Result(
        copied, unchanged, deleted, inDatabase, setAside, List.copyOf(damaged), List.copyOf(kept));
  }

  private void copyAll(OriginalFiles.Listing listing) throws IOException {
    damaged.addAll(listing.unlisted());
    for (String sha256 : listing.originals()) {
      String problem = copy(sha256);
      if (problem != null) {
        damaged.add(sha256 + ": " + problem);
      }
    }
    for (String sha256 : listing.sidecars()) {
      if (!listing.originals().contains(sha256) && !listing.deletions().contains(sha256)) {
        damaged.add(sha256 + ": the original file is missing");
      }
    }
  }

  /** Copies one file; returns why it could not be copied. */
  private @Nullable String copy(String sha256) throws IOException {
    String problem = null;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      problem = tryToCopy(sha256);
      if (problem == null || isDeletedFromSource(sha256)) {
        return null;
      }
      // It may have been replaced while it was being copied, or is being stored.
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return problem;
  }

  /** A file whose existence cannot be determined is not deleted. */
  private boolean isDeletedFromSource(String sha256) {
    return Files.notExists(from.original(sha256)) || from.isDeleted(sha256);
  }

  private @Nullable String tryToCopy(String sha256) throws IOException {
    Sidecar sidecar;
    try {
      sidecar = from.sidecar(sha256);
    } catch (DamagedSidecarException damage) {
      return "its description is damaged: " + damage.getMessage();
    } catch (NoSuchFileException missing) {
      return "its description is missing; downloading the snapshot from the service recreates it";
    } catch (IOException unreadable) {
      return "its description cannot be read: " + unreadable.getMessage();
    }
    @Nullable Sidecar present = sidecarInTarget(sha256);
    if (isInTarget(sidecar, present)) {
      updateTarget(sidecar, sidecar.equals(present));
      return null;
    }
    Path temporary = Files.createTempFile(target, TEMPORARY, SyncedFiles.TEMPORARY);
    try {
      String problem = copyContent(from.original(sha256), temporary);
      if (problem == null) {
        problem = verify(sidecar, temporary);
      }
      if (problem == null) {
        to.store(sidecar, temporary);
        copied++;
      }
      return problem;
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private void updateTarget(Sidecar sidecar, boolean isEqual) throws IOException {
    if (isEqual || restoring) {
      unchanged++;
      if (!isEqual) {
        kept.add(sidecar.sha256());
      }
    } else {
      to.update(sidecar);
      copied++;
    }
  }

  /** Copies the bytes of a file; returns why it cannot be read. */
  private static @Nullable String copyContent(Path source, Path copy) throws IOException {
    try {
      Files.copy(source, copy, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException readOrWriteError) {
      try {
        Crc32c.of(source);
      } catch (IOException unreadable) {
        return "it cannot be read: " + unreadable.getMessage();
      }
      // A read error that has passed, or a write error, which occurs again.
      Files.copy(source, copy, StandardCopyOption.REPLACE_EXISTING);
    }
    return null;
  }

  /**
   * Whether the target has this original. A restore accepts the target's own lengths and checksums,
   * a backup those of the source. A file of the target that cannot be read is replaced.
   */
  private boolean isInTarget(Sidecar sidecar, @Nullable Sidecar present) {
    if (present == null || (!restoring && present.fileChecksum() != sidecar.fileChecksum())) {
      return false;
    }
    Path original = to.original(sidecar.sha256());
    try {
      return Files.size(original) == present.fileBytes()
          && (!verify || Crc32c.of(original) == present.fileChecksum());
    } catch (IOException unreadable) {
      return false;
    }
  }

  private @Nullable Sidecar sidecarInTarget(String sha256) {
    try {
      return to.sidecar(sha256);
    } catch (DamagedSidecarException | IOException unreadable) {
      return null;
    }
  }

  private @Nullable String verify(Sidecar sidecar, Path file) throws IOException {
    if (Files.size(file) != sidecar.fileBytes() || Crc32c.of(file) != sidecar.fileChecksum()) {
      return "its checksum does not match";
    }
    if (restoring) {
      try (InputStream content =
          new OriginalStream(
              Files.newInputStream(file), sidecar.sha256(), sidecar.originalBytes())) {
        content.transferTo(OutputStream.nullOutputStream());
      } catch (IOException damage) {
        return damage.getMessage();
      }
    }
    return null;
  }

  private void prune(OriginalFiles.Listing listing) throws IOException {
    for (String sha256 : listing.deletions()) {
      if (!listing.originals().contains(sha256) && to.isStored(sha256)) {
        to.delete(sha256);
        deleted++;
      }
    }
  }
}
