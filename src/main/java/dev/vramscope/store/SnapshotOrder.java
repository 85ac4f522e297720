package dev.vramscope.store;

/**
 * The order of a list of snapshots.
 *
 * @param isReversed whether the natural direction of the key is reversed
 */
public record SnapshotOrder(Key key, boolean isReversed) {
  /** Newest upload first. */
  public static final SnapshotOrder NEWEST = new SnapshotOrder(Key.NEWEST, false);

  /** By job and rank. */
  public static final SnapshotOrder JOB = new SnapshotOrder(Key.JOB, false);

  private static final String GROUPED =
      "case when job is null then 1 else 0 end,"
          + " case when job is null then null else max(uploaded) over (partition by job) end desc,"
          + " job,"
          + " case when regexp_like(rank, '^[0-9]{1,18}$') then cast(rank as bigint) end nulls"
          + " last,"
          + " rank nulls last, uploaded desc, id";

  /** Text ascends and numbers descend, unless the order is reversed. */
  public enum Key {
    NEWEST(false, "uploaded"),
    /**
     * By job, the job with the newest upload first; within a job by rank, numeric ranks first;
     * within a rank newest first. Snapshots without a job come last. It cannot be reversed.
     */
    JOB(true),
    NAME(true, "lower(name)"),
    OOMS(false, "oom_count"),
    PEAK(false, "peak_bytes"),
    ALLOCATED(false, "allocated_bytes"),
    RESERVED(false, "reserved_bytes"),
    DEVICES(false, "device_count"),
    EVENTS(false, "event_count"),
    /** By name, then by the numbers of the version: 2.5 comes before 2.10. */
    PRODUCER(
        true,
        "regexp_substr(producer, '^[^0-9]*')",
        "cast(regexp_substr(producer, '[0-9]{1,9}') as integer)",
        "cast(substring(regexp_substr(producer, '\\.[0-9]{1,9}'), 2) as integer)",
        "producer");

    private final boolean isText;
    private final String[] expressions;

    Key(boolean isText, String... expressions) {
      this.isText = isText;
      this.expressions = expressions;
    }

    /** Whether the natural direction is ascending. */
    public boolean isText() {
      return isText;
    }
  }

  public SnapshotOrder {
    if (isReversed && key == Key.JOB) {
      throw new IllegalArgumentException("the order by job cannot be reversed");
    }
  }

  /** Whether small values come first. */
  public boolean isAscending() {
    return key.isText != isReversed;
  }

  /** The terms of the {@code order by} clause. */
  String sql() {
    if (key == Key.JOB) {
      return GROUPED;
    }
    StringBuilder terms = new StringBuilder();
    for (String expression : key.expressions) {
      terms.append(expression).append(isAscending() ? " asc" : " desc").append(" nulls last, ");
    }
    return terms + (key == Key.NEWEST ? "id" : "uploaded desc, id");
  }
}
