package dev.vramscope.store.files;

import dev.vramscope.store.codec.Crc32c;
import dev.vramscope.store.files.Sidecar.DamagedSidecarException;
import dev.vramscope.store.listing.StoredSnapshot;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The original files, named by the SHA-256 of their uncompressed content.
 *
 * <pre>
 *   originals/3f/3f2a….zst    the file, compressed with zstd
 *                3f2a….json   its {@link Sidecar}
 *                3f2a….gone   a deletion; the content of the former sidecar
 * </pre>
 *
 * A snapshot is stored when its original is there, and deleted when there is a {@code .gone} file
 * and not both of the others. The order of the steps keeps this true at every moment:
 *
 * <ul>
 *   <li>Storing writes the sidecar under a temporary name, renames the original, then renames the
 *       sidecar. A start that finds an original without its sidecar completes the upload: nothing
 *       that may have been acknowledged is ever removed.
 *   <li>Deleting renames the sidecar first. That rename is the deletion; it needs no disk space.
 *       The {@code .gone} file is kept for a week, and until the rows are removed, so that an old
 *       state of the database cannot bring the snapshot back.
 * </ul>
 *
 * Every change is forced to disk. The caller serializes the changes of one file.
 */
public final class OriginalFiles {
  /** The part of the data folder, in error responses. */
  public static final String WHERE = "original files";

  private static final Logger LOG = LoggerFactory.getLogger(OriginalFiles.class);
  private static final String ORIGINAL = ".zst";
  private static final String SIDECAR = ".json";
  private static final String GONE = ".gone";
  private static final String UNFINISHED = SIDECAR + SyncedFiles.TEMPORARY;
  private static final int SHA256_DIGITS = 64;
  private static final int SHARD_DIGITS = 2;
  private static final Duration DELETION_KEPT = Duration.ofDays(7);

  private final Path root;

  private OriginalFiles(Path root) {
    this.root = root;
  }

  public static OriginalFiles open(Path root) throws IOException {
    if (!Files.isDirectory(root)) {
      Files.createDirectories(root);
      SyncedFiles.forceFolder(root.resolveSibling(""));
    }
    return new OriginalFiles(root);
  }

  /**
   * The hashes of the files with each ending.
   *
   * @param unfinished sidecars that were not renamed
   * @param unlisted folders that cannot be listed completely, with the reason
   */
  public record Listing(
      Set<String> originals,
      Set<String> sidecars,
      Set<String> deletions,
      Set<String> unfinished,
      Set<String> unlisted) {
    private Listing() {
      this(new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
    }
  }

  /** All files. A folder that cannot be listed does not hide those of the others. */
  public Listing list() throws IOException {
    Listing listing = new Listing();
    try (DirectoryStream<Path> shards = Files.newDirectoryStream(root, Files::isDirectory)) {
      for (Path shard : shards) {
        add(shard, listing);
      }
    } catch (DirectoryIteratorException failed) {
      throw failed.getCause();
    }
    return listing;
  }

  private static void add(Path shard, Listing listing) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(shard)) {
      for (Path file : files) {
        addFile(file, listing);
      }
    } catch (IOException | DirectoryIteratorException failed) {
      LOG.error("The folder {} cannot be listed: its snapshots may be missing", shard, failed);
      listing.unlisted.add(
          DataFolder.ORIGINALS + "/" + shard.getFileName() + " cannot be listed: " + failed);
    }
  }

  private static void addFile(Path file, Listing listing) {
    String name = String.valueOf(file.getFileName());
    if (name.length() > SHA256_DIGITS) {
      String sha256 = name.substring(0, SHA256_DIGITS);
      switch (name.substring(SHA256_DIGITS)) {
        case ORIGINAL -> listing.originals.add(sha256);
        case SIDECAR -> listing.sidecars.add(sha256);
        case GONE -> listing.deletions.add(sha256);
        case UNFINISHED -> listing.unfinished.add(sha256);
        default -> {} // Not ours.
      }
    }
  }

  /** The hash of the stored file whose snapshot has this id. */
  public Optional<String> find(String id) throws IOException {
    if (!id.matches("[0-9a-f]{16,64}")) {
      return Optional.empty();
    }
    Path shard = root.resolve(id.substring(0, SHARD_DIGITS));
    if (!Files.isDirectory(shard)) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(shard, id + "*" + ORIGINAL)) {
      for (Path file : files) {
        String sha256 = String.valueOf(file.getFileName()).substring(0, SHA256_DIGITS);
        if (isStored(sha256) && id.equals(idOf(sha256))) {
          return Optional.of(sha256);
        }
      }
    } catch (DirectoryIteratorException failed) {
      throw failed.getCause();
    }
    return Optional.empty();
  }

  /** Whether the file was deleted, and not stored again. */
  public boolean isDeleted(String sha256) {
    return Files.exists(path(sha256, GONE)) && !isStored(sha256);
  }

  /** Whether there is a sidecar. */
  public boolean hasSidecar(String sha256) {
    return Files.exists(path(sha256, SIDECAR));
  }

  /** The id of a stored file; the usual one if its sidecar is damaged or cannot be read. */
  public String idOf(String sha256) {
    try {
      return sidecar(sha256).id();
    } catch (DamagedSidecarException | IOException damaged) {
      return sha256.substring(0, StoredSnapshot.MIN_ID_LENGTH);
    }
  }

  /** Whether the original exists and is not being deleted. Its sidecar may be lost. */
  public boolean isStored(String sha256) {
    return Files.exists(path(sha256, ORIGINAL))
        && (Files.exists(path(sha256, SIDECAR)) || !Files.exists(path(sha256, GONE)));
  }

  /**
   * Whether both files can be read, and the original has the length and checksum of its sidecar.
   */
  public boolean isIntact(String sha256) {
    try {
      Sidecar sidecar = sidecar(sha256);
      Path original = path(sha256, ORIGINAL);
      return Files.size(original) == sidecar.fileBytes()
          && Crc32c.of(original) == sidecar.fileChecksum();
    } catch (DamagedSidecarException | IOException damaged) {
      return false;
    }
  }

  public Sidecar sidecar(String sha256) throws IOException, DamagedSidecarException {
    return Sidecar.decode(Files.readAllBytes(path(sha256, SIDECAR)), sha256);
  }

  /** The compressed original. */
  public Path original(String sha256) {
    return path(sha256, ORIGINAL);
  }

  /** Moves a compressed file of the same file system to its place. */
  public void store(Sidecar sidecar, Path compressed) throws IOException {
    Path shard = root.resolve(sidecar.sha256().substring(0, SHARD_DIGITS));
    if (!Files.isDirectory(shard)) {
      Files.createDirectories(shard);
      SyncedFiles.forceFolder(root);
    }
    SyncedFiles.force(compressed);
    Path unfinished = path(sidecar.sha256(), UNFINISHED);
    try {
      SyncedFiles.write(unfinished, sidecar.encode());
      SyncedFiles.rename(compressed, path(sidecar.sha256(), ORIGINAL));
      SyncedFiles.rename(unfinished, path(sidecar.sha256(), SIDECAR));
      Files.deleteIfExists(path(sidecar.sha256(), GONE));
      SyncedFiles.forceFolder(shard);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  /** Completes an interrupted upload or update, or removes what it has left. */
  public void finishUpload(String sha256) throws IOException {
    Path unfinished = path(sha256, UNFINISHED);
    if (isStored(sha256) && !Files.exists(path(sha256, SIDECAR))) {
      try {
        Sidecar.decode(Files.readAllBytes(unfinished), sha256);
        SyncedFiles.rename(unfinished, path(sha256, SIDECAR));
      } catch (DamagedSidecarException incomplete) {
        Files.delete(unfinished);
      }
    } else {
      Files.delete(unfinished);
    }
  }

  /** Replaces the sidecar of a stored file. */
  public void update(Sidecar sidecar) throws IOException {
    Path file = path(sidecar.sha256(), SIDECAR);
    SyncedFiles.replace(file, sidecar.encode());
    SyncedFiles.forceFolder(file.resolveSibling(""));
  }

  /** Deletes a file. Nothing of it is stored afterwards, even if removing the original fails. */
  public void delete(String sha256) throws IOException {
    Path shard = root.resolve(sha256.substring(0, SHARD_DIGITS));
    Path sidecar = path(sha256, SIDECAR);
    Path gone = path(sha256, GONE);
    if (Files.exists(sidecar)) {
      try {
        // A rename keeps the time of the upload; the mark's age counts from the deletion.
        Files.setLastModifiedTime(sidecar, FileTime.from(Instant.now()));
      } catch (IOException full) {
        LOG.debug("The time of the deletion of {} was not written", sha256, full);
      }
      try {
        SyncedFiles.rename(sidecar, gone);
      } catch (IOException full) {
        // A file system may need a block for the new name. The original's blocks are free then.
        Files.deleteIfExists(path(sha256, ORIGINAL));
        SyncedFiles.rename(sidecar, gone);
      }
    } else {
      Files.createDirectories(shard);
      Files.write(gone, new byte[0]);
    }
    Files.deleteIfExists(path(sha256, ORIGINAL));
    SyncedFiles.forceFolder(shard);
  }

  /**
   * Removes the two files of an upload that could not be completed. If that is interrupted, the
   * next start completes the upload or removes the rest.
   */
  public void retract(String sha256) throws IOException {
    Path unfinished = path(sha256, UNFINISHED);
    if (Files.exists(path(sha256, SIDECAR))) {
      SyncedFiles.rename(path(sha256, SIDECAR), unfinished);
    }
    Files.deleteIfExists(path(sha256, ORIGINAL));
    Files.deleteIfExists(unfinished);
    SyncedFiles.forceFolder(root.resolve(sha256.substring(0, SHARD_DIGITS)));
  }

  /** Completes a deletion after a restart. */
  public void finishDeletion(String sha256) throws IOException {
    Files.deleteIfExists(path(sha256, ORIGINAL));
    Files.deleteIfExists(path(sha256, SIDECAR));
  }

  /** Whether the mark of a deletion has been kept for long enough. */
  public boolean isOldDeletion(String sha256) throws IOException {
    Path gone = path(sha256, GONE);
    return Files.exists(gone)
        && Files.getLastModifiedTime(gone).toInstant().isBefore(Instant.now().minus(DELETION_KEPT));
  }

  /** Removes a deletion mark that is old, or that a later upload has overruled. */
  public void removeDeletionMark(String sha256) throws IOException {
    Files.deleteIfExists(path(sha256, GONE));
  }

  private Path path(String sha256, String ending) {
    return root.resolve(sha256.substring(0, SHARD_DIGITS)).resolve(sha256 + ending);
  }
}
