package dev.vramscope.store.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The room for writing on the disk of the data folder. Writing stops at the first failed write and
 * when the free space falls below the reserve, and resumes when there is room again and a probe can
 * be written. Thread-safe.
 */
public final class DiskSpace {
  private static final Logger LOG = LoggerFactory.getLogger(DiskSpace.class);
  private static final int PROBE_BYTES = 256 << 10;
  private static final long PROBE_INTERVAL_NANOS = 500_000_000;

  private final Path root;
  private final long minFreeBytes;
  private final AtomicLong reserved = new AtomicLong();

  // Guarded by this.
  private @Nullable StoreUnavailableException failure;
  private long lastProbe;

  public DiskSpace(Path root, long minFreeBytes) {
    this.root = root;
    this.minFreeBytes = minFreeBytes;
  }

  /** Room that a writer has reserved, so that concurrent writers do not count on the same bytes. */
  public final class Reservation implements AutoCloseable {
    private final long bytes;

    private Reservation(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public void close() {
      reserved.addAndGet(-bytes);
    }
  }

  /**
   * Reserves room.
   *
   * @throws StoreUnavailableException if there is no room
   */
  public Reservation reserve(long bytes) {
    reserved.addAndGet(bytes);
    try {
      require(0);
    } catch (StoreUnavailableException full) {
      reserved.addAndGet(-bytes);
      throw full;
    }
    return new Reservation(bytes);
  }

  /**
   * Checks that {@code bytes} more fit besides all reservations, without using the reserve.
   *
   * @throws StoreUnavailableException if they do not, or if writing has stopped
   */
  public void require(long bytes) {
    StoreUnavailableException stopped = failureUnlessResumed();
    if (stopped != null) {
      throw stopped.again();
    }
    long usable = usableBytes();
    long wantedBytes = bytes + reserved.get();
    if (usable - wantedBytes < minFreeBytes) {
      throw StoreErrors.diskFull(
          wantedBytes
              + " bytes are to be stored, "
              + usable
              + " bytes are free and "
              + minFreeBytes
              + " bytes are kept in reserve");
    }
  }

  /** Why nothing can be written now; empty if there is room. */
  public Optional<String> problem() {
    try {
      require(0);
      return Optional.empty();
    } catch (StoreUnavailableException full) {
      return Optional.of(full.what());
    }
  }

  /** Whether there is room for writing. Resumes writing if there is again. */
  public boolean hasRoom() {
    return problem().isEmpty();
  }

  /** Stops writing, because a write has failed. */
  public synchronized StoreUnavailableException stop(StoreUnavailableException failed) {
    if (failure == null) {
      LOG.error("Writing stops until the data folder can be written again", failed);
      failure = failed;
      lastProbe = System.nanoTime();
    }
    return failed;
  }

  /** Free bytes on the disk of the folder. */
  public long usableBytes() {
    try {
      return Files.getFileStore(root).getUsableSpace();
    } catch (IOException failed) {
      throw StoreErrors.notRead(failed, "data folder");
    }
  }

  private synchronized @Nullable StoreUnavailableException failureUnlessResumed() {
    if (failure == null) {
      return null;
    }
    long now = System.nanoTime();
    if (now - lastProbe >= PROBE_INTERVAL_NANOS) {
      lastProbe = now;
      if (usableBytes() >= minFreeBytes && canWriteProbe()) {
        LOG.info("The data folder can be written again");
        failure = null;
      }
    }
    return failure;
  }

  private boolean canWriteProbe() {
    Path probe = root.resolve("probe" + SyncedFiles.TEMPORARY);
    try {
      try {
        SyncedFiles.write(probe, new byte[PROBE_BYTES]);
        return true;
      } finally {
        Files.deleteIfExists(probe);
      }
    } catch (IOException failed) {
      return false;
    }
  }
}
