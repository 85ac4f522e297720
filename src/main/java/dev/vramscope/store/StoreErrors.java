package dev.vramscope.store;

import dev.vramscope.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Translates disk and database errors into {@link StoreUnavailableException}s. */
final class StoreErrors {
  private static final String NOTHING_LOST = "Stored snapshots are not affected. ";
  private static final String FREE_SPACE =
      NOTHING_LOST + "Delete snapshots or free space on the disk, then try again.";

  private StoreErrors() {}

  static StoreUnavailableException of(IOException failed, Path where) {
    return isDiskFull(failed)
        ? new StoreUnavailableException(
            Reason.DISK_FULL, "The disk is full", where.toString(), FREE_SPACE, failed)
        : new StoreUnavailableException(
            Reason.FAILED,
            "The data folder cannot be used: " + failed,
            where.toString(),
            "Check the disk, then try again.",
            failed);
  }

  static StoreUnavailableException diskFull(String detail, Path where) {
    return new StoreUnavailableException(
        Reason.DISK_FULL, "The disk is full: " + detail, where.toString(), FREE_SPACE);
  }

  /** The exception for an error of the database. */
  static StoreUnavailableException of(RuntimeException failed) {
    if (isDiskFull(failed)) {
      return new StoreUnavailableException(
          Reason.DISK_FULL, "The disk is full", "database", FREE_SPACE, failed);
    }
    SQLException sql = sqlCause(failed);
    return new StoreUnavailableException(
        Reason.FAILED,
        sql == null
            ? "The database is not available"
            : "The database failed with error " + sql.getErrorCode(),
        "database",
        NOTHING_LOST + "Try again; the log has the details.",
        failed);
  }

  private static boolean isDiskFull(Throwable failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (message != null) {
        String lower = message.toLowerCase(Locale.ROOT);
        // The messages of Linux, macOS and Windows; Java has no error code.
        if (lower.contains("no space left on device")
            || lower.contains("disk quota exceeded")
            || lower.contains("not enough space on the disk")) {
          return true;
        }
      }
    }
    return false;
  }

  private static @Nullable SQLException sqlCause(Throwable failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }
}
