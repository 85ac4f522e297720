package dev.vramscope.store;

/** The order of a list of snapshots. */
public enum SnapshotOrder {
  /** Newest upload first. */
  NEWEST("uploaded desc, id"),

  /**
   * By job, the job with the newest upload first; within a job by rank, numeric ranks first; within
   * a rank newest first. Snapshots without a job come last.
   */
  JOB(
      "case when job is null then 1 else 0 end,"
          + " case when job is null then null else max(uploaded) over (partition by job) end desc,"
          + " job,"
          + " case when regexp_like(rank, '^[0-9]{1,18}$') then cast(rank as bigint) end nulls"
          + " last,"
          + " rank nulls last, uploaded desc, id");

  private final String sql;

  SnapshotOrder(String sql) {
    this.sql = sql;
  }

  /** The terms of the {@code order by} clause. */
  String sql() {
    return sql;
  }
}
