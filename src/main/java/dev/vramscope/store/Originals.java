package dev.vramscope.store;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.vramscope.store.codec.Crc32c;
import dev.vramscope.store.files.DataFolder;
import dev.vramscope.store.files.DiskSpace;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.files.OriginalFiles;
import dev.vramscope.store.files.OriginalStream;
import dev.vramscope.store.files.Sha256;
import dev.vramscope.store.files.Sidecar;
import dev.vramscope.store.files.Sidecar.DamagedSidecarException;
import dev.vramscope.store.files.Spool;
import dev.vramscope.store.files.SpoolFile;
import dev.vramscope.store.files.StoreErrors;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.StoredSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The verified original files. Repairs sidecars from the database and moves the originals of an
 * older release out of it. Callers hold the lock of the snapshot for changes.
 */
@Component
final class Originals {
  private static final Logger LOG = LoggerFactory.getLogger(Originals.class);
  private static final String UPLOAD_AGAIN = " Upload the file again to repair it.";
  private static final String DAMAGED_FILE = "Its original file is damaged.";
  private static final String PAGES_WORK =
      " The pages of a snapshot work without it; the download and the page of a log do not."
          + UPLOAD_AGAIN;

  private static final String UNREADABLE_DESCRIPTION =
      "Its original file is stored, but its name and tags cannot be read. Check the disk, then"
          + " restart the service. If they are lost, upload the file again.";

  /** Each of them keeps a connection of the database until its client has read everything. */
  private static final int MAX_DATABASE_DOWNLOADS = 4;

  private final Semaphore databaseDownloads = new Semaphore(MAX_DATABASE_DOWNLOADS);
  private final OriginalFiles files;
  private final Spool spool;
  private final DiskSpace space;
  private final SnapshotIndex index;
  private final StoreState state;

  Originals(DataFolder folder, SnapshotIndex index, StoreState state) {
    files = folder.originals();
    spool = folder.spool();
    space = folder.space();
    this.index = index;
    this.state = state;
  }

  /** The SHA-256 of the stored file whose snapshot has this id. */
  Optional<String> find(String id) {
    try {
      return files.find(id);
    } catch (IOException failed) {
      throw StoreErrors.notRead(failed, OriginalFiles.WHERE);
    }
  }

  /** The id of the snapshot with this original; see {@link OriginalFiles#idOf}. */
  String idOf(String sha256) {
    return files.idOf(sha256);
  }

  boolean isDeleted(String sha256) {
    return files.isDeleted(sha256);
  }

  boolean hasSidecar(String sha256) {
    return files.hasSidecar(sha256);
  }

  boolean isStored(String sha256) {
    return files.isStored(sha256);
  }

  boolean isIntact(String sha256) {
    return files.isIntact(sha256);
  }

  /**
   * The shortest prefix of the hash, of at least 16 digits, that no other snapshot has as its id.
   */
  String unusedId(String sha256) {
    int digits = StoredSnapshot.MIN_ID_LENGTH;
    while (digits < sha256.length()
        && (find(sha256.substring(0, digits)).isPresent()
            || index.byId(sha256.substring(0, digits)).isPresent())) {
      digits++;
    }
    return sha256.substring(0, digits);
  }

  /** The sidecar of a stored file; empty if it is missing, damaged, or cannot be read. */
  Optional<Sidecar> intactSidecar(String sha256) {
    try {
      return Optional.of(files.sidecar(sha256));
    } catch (NoSuchFileException missing) {
      LOG.warn("The sidecar of {} is missing", sha256);
      return Optional.empty();
    } catch (DamagedSidecarException | IOException damaged) {
      LOG.warn("The sidecar of {} cannot be read", sha256, damaged);
      return Optional.empty();
    }
  }

  /**
   * The sidecar of a stored file; if it is damaged, it is recreated from the row.
   *
   * @throws DamagedSnapshotException if the original is damaged, too, or as {@link
   *     #requireDescription}
   */
  Sidecar sidecar(String sha256) {
    Optional<Sidecar> intact = intactSidecar(sha256);
    if (intact.isEmpty()) {
      requireDescription(sha256);
    }
    return intact.orElseGet(() -> recreateSidecar(sha256));
  }

  /**
   * Name and tags that cannot be read now are not replaced by others: a later start may read them.
   *
   * @throws DamagedSnapshotException if there is a sidecar that the file system cannot read, and no
   *     row from which it can be recreated
   */
  void requireDescription(String sha256) {
    try {
      files.sidecar(sha256);
    } catch (DamagedSidecarException | NoSuchFileException recreatable) {
      LOG.debug("The sidecar of {} can be recreated", sha256, recreatable);
    } catch (IOException unreadable) {
      if (index.bySha256(sha256).isEmpty()) {
        LOG.error("The sidecar of {} cannot be read", sha256, unreadable);
        throw damaged(
            sha256.substring(0, StoredSnapshot.MIN_ID_LENGTH), "", UNREADABLE_DESCRIPTION);
      }
    }
  }

  /** The sidecar of a row. */
  private Sidecar described(StoredSnapshot row) {
    return Sidecar.of(row, index.evidence(row.id()).orElse(List.of()));
  }

  private Sidecar recreateSidecar(String sha256) {
    LOG.warn("The sidecar of {} is recreated", sha256);
    try {
      Path file = files.original(sha256);
      Optional<StoredSnapshot> row = index.bySha256(sha256);
      Instant written = Files.getLastModifiedTime(file).toInstant();
      long bytes = verifiedLength(sha256, file, row);
      Sidecar made =
          row.map(this::described)
              .orElseGet(() -> Sidecar.adopted(sha256, bytes, written))
              .withFile(Files.size(file), Crc32c.of(file));
      try {
        update(made);
      } catch (IOException full) {
        LOG.warn("The sidecar of {} cannot be written now", sha256, full);
      }
      return made;
    } catch (NoSuchFileException missing) {
      throw damaged(
          sha256.substring(0, StoredSnapshot.MIN_ID_LENGTH),
          "",
          "Its original file is missing." + PAGES_WORK);
    } catch (IOException failed) {
      throw StoreErrors.notRead(failed, OriginalFiles.WHERE);
    }
  }

  /** Opens an original after it was verified. */
  OriginalFile open(String id, String sha256) {
    Sidecar sidecar = sidecar(sha256);
    Path file = files.original(sha256);
    try {
      if (Files.size(file) != sidecar.fileBytes() || Crc32c.of(file) != sidecar.fileChecksum()) {
        throw damaged(
            id, sidecar.name(), "The checksum of its original file does not match." + PAGES_WORK);
      }
      // Windows cannot delete an open file; everywhere else it can be read until it is closed.
      InputStream content =
          new OriginalStream(Files.newInputStream(file), sha256, sidecar.originalBytes());
      return new OriginalFile(sidecar.name(), sidecar.originalBytes(), content);
    } catch (IOException unreadable) {
      LOG.warn("The original of {} cannot be read", id, unreadable);
      throw damaged(id, sidecar.name(), "Its original file cannot be read." + PAGES_WORK);
    }
  }

  /**
   * Opens an original that an older release has stored in the database. It is moved first if there
   * is room.
   */
  OriginalFile openFromDatabase(StoredSnapshot stored) {
    try {
      if (moveFromDatabase(stored)) {
        return open(stored.id(), stored.sha256());
      }
    } catch (StoreUnavailableException full) {
      LOG.debug("The original of {} is read from the database", stored.id(), full);
      return readFromDatabase(stored);
    }
    throw missingFile(stored);
  }

  private OriginalFile readFromDatabase(StoredSnapshot stored) {
    if (!databaseDownloads.tryAcquire()) {
      throw StoreErrors.tooManyDownloads();
    }
    boolean opened = false;
    try {
      try (InputStream verified = contentInDatabase(stored)) {
        verified.transferTo(OutputStream.nullOutputStream());
      }
      InputStream content =
          new ReleasingStream(contentInDatabase(stored), databaseDownloads::release);
      opened = true;
      return new OriginalFile(stored.name(), stored.originalBytes(), content);
    } catch (IOException unreadable) {
      LOG.warn("The original of {} in the database is damaged", stored.id(), unreadable);
      throw damaged(stored.id(), stored.name(), DAMAGED_FILE + PAGES_WORK);
    } finally {
      if (!opened) {
        databaseDownloads.release();
      }
    }
  }

  private InputStream contentInDatabase(StoredSnapshot stored) throws IOException {
    InputStream compressed = index.openOriginal(stored.id()).orElseThrow(() -> missingFile(stored));
    return new OriginalStream(compressed, stored.sha256(), stored.originalBytes());
  }

  /**
   * A verified copy of an original in the database.
   *
   * @param sha256 of its content
   * @param bytes the length of its content
   */
  record Copy(SpoolFile file, String sha256, long bytes) implements AutoCloseable {
    @Override
    public void close() {
      file.close();
    }
  }

  /**
   * Copies an original of an older release from the database; empty if it is not there.
   *
   * @param start the start of its SHA-256, or all of it
   * @throws DamagedSnapshotException with {@code remedy} if it is damaged
   */
  private Optional<Copy> copyFromDatabase(String id, String name, String start, String remedy) {
    SpoolFile file = spool.create();
    boolean isVerified = false;
    try {
      try (OutputStream out = file.output()) {
        if (!index.copyOriginal(id, out)) {
          return Optional.empty();
        }
      }
      MessageDigest hash = Sha256.newDigest();
      long bytes;
      try (InputStream content =
          new DigestInputStream(new ZstdInputStreamNoFinalizer(file.input()), hash)) {
        bytes = content.transferTo(OutputStream.nullOutputStream());
      } catch (IOException unreadable) {
        LOG.warn("The original of {} in the database is damaged", id, unreadable);
        throw damaged(id, name, DAMAGED_FILE + remedy);
      }
      String sha256 = Sha256.hex(hash);
      if (!sha256.startsWith(start)) {
        LOG.warn("The SHA-256 of the original of {} in the database is {}", id, sha256);
        throw damaged(id, name, DAMAGED_FILE + remedy);
      }
      isVerified = true;
      return Optional.of(new Copy(file, sha256, bytes));
    } catch (IOException failed) {
      throw space.stop(StoreErrors.notWritten(failed, OriginalFiles.WHERE));
    } finally {
      if (!isVerified) {
        file.close();
      }
    }
  }

  /**
   * Copies an original of an older release from a damaged database, without its row.
   *
   * @throws DamagedSnapshotException if it cannot be read
   */
  Copy copyFromDamagedDatabase(String id) {
    return copyFromDatabase(id, "", id, UPLOAD_AGAIN)
        .orElseThrow(() -> damaged(id, "", DAMAGED_FILE + UPLOAD_AGAIN));
  }

  /** Stores a copy under a new name, unless the file is stored or was deleted. */
  void adopt(Copy copy) {
    if (!files.isStored(copy.sha256()) && !files.isDeleted(copy.sha256())) {
      store(Sidecar.adopted(copy.sha256(), copy.bytes(), Instant.now()), copy);
    }
  }

  private DamagedSnapshotException missingFile(StoredSnapshot stored) {
    return damaged(stored.id(), stored.name(), "Its original file is missing." + PAGES_WORK);
  }

  /**
   * Moves an original from the database to a file. It is removed from the database after the file
   * is on the disk.
   *
   * @return whether it was in the database
   * @throws DamagedSnapshotException if it is damaged; it remains in the database
   */
  boolean moveFromDatabase(StoredSnapshot stored) {
    space.require(0);
    Optional<Copy> databaseCopy =
        copyFromDatabase(stored.id(), stored.name(), stored.sha256(), PAGES_WORK);
    if (databaseCopy.isEmpty()) {
      return false;
    }
    try (Copy copy = databaseCopy.get()) {
      store(described(stored), copy);
    }
    index.deleteOriginal(stored.id());
    return true;
  }

  private void store(Sidecar sidecar, Copy copy) {
    Path file = copy.file().path();
    try {
      store(sidecar.withFile(copy.file().bytes(), Crc32c.of(file)), file);
    } catch (IOException failed) {
      throw space.stop(StoreErrors.notWritten(failed, OriginalFiles.WHERE));
    }
  }

  void store(Sidecar sidecar, Path compressed) throws IOException {
    files.store(sidecar, compressed);
  }

  void update(Sidecar sidecar) throws IOException {
    files.update(sidecar);
  }

  void delete(String sha256) {
    try {
      files.delete(sha256);
    } catch (IOException failed) {
      throw StoreErrors.notWritten(failed, OriginalFiles.WHERE);
    }
  }

  /** Removes the mark of an old deletion. */
  void forgetOldDeletion(String sha256) {
    try {
      if (files.isOldDeletion(sha256)) {
        files.removeDeletionMark(sha256);
      }
    } catch (IOException failed) {
      LOG.warn("The mark of a deletion was not removed", failed);
    }
  }

  void retract(String sha256) {
    try {
      files.retract(sha256);
    } catch (IOException failed) {
      LOG.warn("A file that could not be stored was not removed", failed);
    }
  }

  /** Records that the original of a row is missing. */
  void missing(StoredSnapshot row) {
    state.damaged(new Damage(row.id(), row.name(), "Its original file is missing." + PAGES_WORK));
  }

  /** Records that there is a sidecar, but neither an original nor a row. */
  void lost(String sha256) {
    String id = sha256.substring(0, StoredSnapshot.MIN_ID_LENGTH);
    String name = "";
    try {
      name = files.sidecar(sha256).name();
    } catch (IOException | DamagedSidecarException unreadable) {
      LOG.warn("The sidecar of {} cannot be read", sha256, unreadable);
    }
    state.damaged(new Damage(id, name, "Its original file is missing." + UPLOAD_AGAIN));
  }

  /** Records a damage and returns it as exception. */
  DamagedSnapshotException damaged(String id, String name, String what) {
    state.damaged(new Damage(id, name, what));
    return new DamagedSnapshotException(id, what);
  }

  /** The length of the content of an original that has no sidecar with a checksum. */
  private long verifiedLength(String sha256, Path file, Optional<StoredSnapshot> row)
      throws NoSuchFileException {
    try {
      return OriginalStream.verifiedLength(Files.newInputStream(file), sha256);
    } catch (NoSuchFileException missing) {
      throw missing;
    } catch (IOException damage) {
      LOG.warn("The original {} is damaged", file, damage);
      throw damaged(
          row.map(StoredSnapshot::id).orElse(sha256.substring(0, StoredSnapshot.MIN_ID_LENGTH)),
          row.map(StoredSnapshot::name).orElse(""),
          "Its original file and its description are damaged."
              + (row.isPresent() ? PAGES_WORK : UPLOAD_AGAIN));
    }
  }
}
