package dev.vramscope.store.listing;

import org.jspecify.annotations.Nullable;

/**
 * A search for snapshots. A null field matches every snapshot.
 *
 * @param text part of the name or of a tag, ignoring case
 * @param job the exact job
 * @param rank the exact rank
 * @param host the exact host
 * @param label a label of the snapshot
 * @param order of the results
 * @param limit the maximum number of results
 * @param offset the number of results to skip
 * @param withoutLogs whether logs do not match
 */
public record SnapshotFilter(
    @Nullable String text,
    @Nullable String job,
    @Nullable String rank,
    @Nullable String host,
    @Nullable String label,
    SnapshotOrder order,
    int limit,
    int offset,
    boolean withoutLogs) {
  public SnapshotFilter {
    if (limit < 0 || offset < 0) {
      throw new IllegalArgumentException("limit " + limit + ", offset " + offset);
    }
  }

  /** Of snapshots and logs. */
  public SnapshotFilter(
      @Nullable String text,
      @Nullable String job,
      @Nullable String rank,
      @Nullable String host,
      @Nullable String label,
      SnapshotOrder order,
      int limit,
      int offset) {
    this(text, job, rank, host, label, order, limit, offset, /* withoutLogs= */ false);
  }

  /** The newest {@code limit} snapshots of a job, or of one of its ranks, and no logs. */
  public static SnapshotFilter snapshotsOf(@Nullable String job, @Nullable String rank, int limit) {
    return new SnapshotFilter(
        null, job, rank, null, null, SnapshotOrder.NEWEST, limit, 0, /* withoutLogs= */ true);
  }

  /** The newest {@code limit} snapshots. */
  public static SnapshotFilter newest(int limit) {
    return new SnapshotFilter(null, null, null, null, null, SnapshotOrder.NEWEST, limit, 0);
  }
}
