package dev.vramscope.store.files;

import dev.vramscope.store.files.StoreUnavailableException.Reason;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Locale;

/**
 * Translates disk and database errors into {@link StoreUnavailableException}s. Their texts are
 * returned to clients and contain no path of this machine.
 */
public final class StoreErrors {
  private static final String FREE_SPACE =
      "Nothing was stored. Stored snapshots can be read, downloaded and deleted. Delete snapshots"
          + " or free space on the disk, then try again.";
  private static final String CHECK_DISK =
      "Nothing was stored. Stored snapshots can be read and downloaded. Check the disk, then try"
          + " again; the log has the details.";
  private static final String TRY_AGAIN =
      "Original files are stored apart from the database and are kept. Try again; the log has the"
          + " details.";
  private static final String DATABASE = "database";
  private static final String READ_AGAIN =
      "Original files are stored apart from the database and are kept. If it is damaged, it is"
          + " rebuilt from them while the service runs. Try again in a few seconds.";

  private StoreErrors() {}

  /**
   * The exception for a file that could not be written.
   *
   * @param where which part of the data folder, not a path
   */
  public static StoreUnavailableException notWritten(IOException failed, String where) {
    return isDiskFull(failed)
        ? new StoreUnavailableException(
            Reason.DISK_FULL, "The disk is full", where, FREE_SPACE, failed)
        : new StoreUnavailableException(
            Reason.DISK_FULL,
            "The disk cannot be written: " + withoutPath(failed),
            where,
            CHECK_DISK,
            failed);
  }

  /** The exception for a file that could not be read. */
  public static StoreUnavailableException notRead(IOException failed, String where) {
    return new StoreUnavailableException(
        Reason.NOT_READ,
        "The data folder cannot be read: " + withoutPath(failed),
        where,
        "Check the disk, then try again; the log has the details.",
        failed);
  }

  public static StoreUnavailableException diskFull(String detail) {
    return new StoreUnavailableException(
        Reason.DISK_FULL, "The disk is full: " + detail, "data folder", FREE_SPACE);
  }

  /** The exception for an error of the database while rows are written. */
  public static StoreUnavailableException notWritten(RuntimeException failed) {
    return database(Reason.NOT_WRITTEN, "The database cannot be written", TRY_AGAIN, failed);
  }

  /** The exception for an error of the database while rows are read. */
  public static StoreUnavailableException notRead(RuntimeException failed) {
    return database(Reason.NOT_READ, "The database cannot be read", READ_AGAIN, failed);
  }

  private static StoreUnavailableException database(
      Reason reason, String what, String next, RuntimeException failed) {
    return isDiskFull(failed)
        ? new StoreUnavailableException(
            Reason.DISK_FULL, "The disk is full", DATABASE, FREE_SPACE, failed)
        : new StoreUnavailableException(reason, what, DATABASE, next, failed);
  }

  /** The exception for a download that would take a connection that other requests need. */
  public static StoreUnavailableException tooManyDownloads() {
    return new StoreUnavailableException(
        Reason.NOT_READ,
        "Several files that are still in the database are being downloaded",
        DATABASE,
        "Try again when they are complete. With room on the disk they are moved out of the"
            + " database, and the limit does not apply.");
  }

  public static StoreUnavailableException notRebuilt(int snapshots) {
    return new StoreUnavailableException(
        Reason.NOT_WRITTEN,
        "The rows of " + snapshots + " snapshots could not be written",
        DATABASE,
        TRY_AGAIN);
  }

  /** Whether a write failed because of the disk: it is full or a quota is reached. */
  public static boolean isDiskFull(Throwable failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (message != null) {
        String lower = message.toLowerCase(Locale.ROOT);
        // The messages of Linux, macOS and Windows; Java has no error code.
        if (lower.contains("no space left on device")
            || lower.contains("disk quota exceeded")
            || lower.contains("file too large")
            || lower.contains("not enough space on the disk")) {
          return true;
        }
      }
    }
    return false;
  }

  private static String withoutPath(IOException failed) {
    if (failed instanceof FileSystemException file) {
      String reason = file.getReason();
      return reason == null ? file.getClass().getSimpleName() : reason;
    }
    return String.valueOf(failed.getMessage());
  }
}
