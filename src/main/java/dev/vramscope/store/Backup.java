package dev.vramscope.store;

import dev.vramscope.store.Sidecar.DamagedSidecarException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Copies originals with their sidecars between a data folder and a backup, which has the same
 * layout. A service may use the data folder meanwhile: originals never change, and sidecars are
 * replaced atomically. Every file is verified when it is copied.
 */
public final class Backup {
  private static final int MAX_ATTEMPTS = 3;

  private final OriginalFiles from;
  private final OriginalFiles to;
  private final Path target;
  private final boolean thorough;
  private final List<String> damaged = new ArrayList<>();
  private int copied;
  private int unchanged;
  private int deleted;

  private Backup(OriginalFiles from, Path target, boolean thorough) throws IOException {
    this.from = from;
    this.target = target;
    this.thorough = thorough;
    Files.createDirectories(target);
    to = OriginalFiles.open(target.resolve(DataFolder.ORIGINALS));
  }

  /**
   * What was done.
   *
   * @param copied files that were copied, or whose name and tags were
   * @param unchanged files that the target had already
   * @param deleted files that were deleted from the target
   * @param damaged files that were not copied, with the reason
   */
  public record Result(int copied, int unchanged, int deleted, List<String> damaged) {}

  /**
   * Copies what is new or changed in a data folder. What the backup has of a file that is damaged
   * in the data folder is kept.
   *
   * @param prune whether snapshots that were deleted in the data folder are deleted in the backup
   */
  public static Result backUp(Path dataDir, Path backup, boolean prune) throws IOException {
    Backup run = new Backup(existing(dataDir), backup, /* thorough= */ false);
    OriginalFiles.Listing listing = run.from.list();
    run.copyAll(listing);
    if (prune) {
      run.prune(listing);
    }
    return run.result();
  }

  /**
   * Copies a backup to an empty or new data folder, and verifies the SHA-256 of every file. The
   * first start of the service makes the database.
   *
   * @throws IOException if the data folder is not empty
   */
  public static Result restore(Path backup, Path dataDir) throws IOException {
    OriginalFiles from = existing(backup);
    if (Files.exists(dataDir)) {
      try (Stream<Path> files = Files.list(dataDir)) {
        if (files.findAny().isPresent()) {
          throw new IOException(
              "The folder " + dataDir + " is not empty. Restore into an empty or new folder.");
        }
      }
    }
    Backup run = new Backup(from, dataDir, /* thorough= */ true);
    run.copyAll(from.list());
    return run.result();
  }

  private static OriginalFiles existing(Path folder) throws IOException {
    Path originals = folder.resolve(DataFolder.ORIGINALS);
    if (!Files.isDirectory(originals)) {
      throw new IOException("The folder " + folder + " has no subfolder 'originals'.");
    }
    return OriginalFiles.open(originals);
  }

  private Result result() {
    return new Result(copied, unchanged, deleted, List.copyOf(damaged));
  }

  private void copyAll(OriginalFiles.Listing listing) throws IOException {
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
      try {
        problem = copy(from.sidecar(sha256));
        if (problem == null) {
          return null;
        }
      } catch (DamagedSidecarException unreadable) {
        problem = "its description is damaged: " + unreadable.getMessage();
      } catch (NoSuchFileException deletedOrBeingStored) {
        return null;
      }
      // It may have been replaced while it was being copied.
    }
    return problem;
  }

  private @Nullable String copy(Sidecar sidecar) throws IOException {
    if (has(sidecar)) {
      if (sidecar.equals(sidecarInTarget(sidecar.sha256()))) {
        unchanged++;
      } else {
        to.update(sidecar);
        copied++;
      }
      return null;
    }
    Path temporary = Files.createTempFile(target, "copy-", SyncedFiles.TEMPORARY);
    try {
      Files.copy(from.original(sidecar.sha256()), temporary, StandardCopyOption.REPLACE_EXISTING);
      String problem = verify(sidecar, temporary);
      if (problem == null) {
        to.store(sidecar, temporary);
        copied++;
      }
      return problem;
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Whether the target has this original, with the same length and checksum. */
  private boolean has(Sidecar sidecar) throws IOException {
    Sidecar present = sidecarInTarget(sidecar.sha256());
    Path original = to.original(sidecar.sha256());
    return present != null
        && present.fileChecksum() == sidecar.fileChecksum()
        && Files.exists(original)
        && Files.size(original) == sidecar.fileBytes();
  }

  private @Nullable Sidecar sidecarInTarget(String sha256) throws IOException {
    try {
      return to.sidecar(sha256);
    } catch (DamagedSidecarException | NoSuchFileException missing) {
      return null;
    }
  }

  private @Nullable String verify(Sidecar sidecar, Path file) throws IOException {
    if (Files.size(file) != sidecar.fileBytes()
        || OriginalFiles.checksum(file) != sidecar.fileChecksum()) {
      return "its checksum does not match";
    }
    if (thorough) {
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
