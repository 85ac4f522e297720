package dev.vramscope.store;

import java.sql.SQLException;
import java.util.Set;
import org.h2.api.ErrorCode;
import org.h2.mvstore.MVStoreException;

/** The kind of a failure of the database. */
enum DatabaseFailure {
  /** The statement failed, for example because a row exists already. */
  STATEMENT,
  /** The database has closed itself after a failed write. */
  CLOSED,
  /** The file is damaged, or H2 failed while it was reading it. */
  DAMAGED;

  private static final Set<Integer> CLOSED_CODES =
      Set.of(
          ErrorCode.DATABASE_IS_CLOSED,
          ErrorCode.OBJECT_CLOSED,
          ErrorCode.DATABASE_CALLED_AT_SHUTDOWN); // By a connection to a closed database.
  private static final Set<Integer> DAMAGED_CODES =
      Set.of(
          ErrorCode.GENERAL_ERROR_1,
          ErrorCode.FILE_CORRUPTED_1,
          ErrorCode.FILE_VERSION_ERROR_1,
          ErrorCode.IO_EXCEPTION_1,
          ErrorCode.IO_EXCEPTION_2,
          ErrorCode.DESERIALIZATION_FAILED_1,
          ErrorCode.LOB_CLOSED_ON_TIMEOUT_1, // The data of a blob are not there.
          ErrorCode.ROW_NOT_FOUND_IN_PRIMARY_INDEX,
          ErrorCode.ROW_NOT_FOUND_WHEN_DELETING_1);

  static DatabaseFailure of(Throwable failed) {
    DatabaseFailure kind = STATEMENT;
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        if (CLOSED_CODES.contains(sql.getErrorCode())) {
          return CLOSED;
        }
        if (DAMAGED_CODES.contains(sql.getErrorCode())) {
          kind = DAMAGED;
        }
      } else if (cause instanceof MVStoreException) {
        kind = DAMAGED;
      }
    }
    return kind;
  }

  static boolean isLocked(Throwable failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql
          && sql.getErrorCode() == ErrorCode.DATABASE_ALREADY_OPEN_1) {
        return true;
      }
    }
    return false;
  }
}
