package dev.vramscope.store;

import dev.vramscope.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Chooses the words for what disks and databases report. */
final class StoreFaults {
  private static final String RETRY = "Nothing that was stored before is lost. ";
  private static final String MAKE_ROOM =
      RETRY + "Delete snapshots or make room on the disk, then try again.";

  private StoreFaults() {}

  static StoreUnavailableException of(IOException failed, Path where) {
    return isDiskFull(failed)
        ? new StoreUnavailableException(
            Reason.DISK_FULL, "The disk is full", where.toString(), MAKE_ROOM, failed)
        : new StoreUnavailableException(
            Reason.FAILED,
            "The data folder cannot be used: " + failed,
            where.toString(),
            RETRY + "Look at the disk, then try again.",
            failed);
  }

  static StoreUnavailableException diskFull(String numbers, Path where) {
    return new StoreUnavailableException(
        Reason.DISK_FULL, "The disk is full: " + numbers, where.toString(), MAKE_ROOM);
  }

  /** For what the database threw. */
  static StoreUnavailableException of(RuntimeException failed) {
    if (isDiskFull(failed)) {
      return new StoreUnavailableException(
          Reason.DISK_FULL, "The disk is full", "database", MAKE_ROOM, failed);
    }
    SQLException sql = sqlCause(failed);
    return new StoreUnavailableException(
        Reason.FAILED,
        sql == null
            ? "The database does not answer"
            : "The database answers with error " + sql.getErrorCode(),
        "database",
        RETRY + "Try again; the log has the details.",
        failed);
  }

  private static boolean isDiskFull(Throwable failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (message != null) {
        String lower = message.toLowerCase(Locale.ROOT);
        // What Linux, macOS and Windows say; Java has no code for it.
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
