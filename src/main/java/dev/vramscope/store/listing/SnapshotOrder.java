package dev.vramscope.store.listing;

import java.util.List;

/**
 * The order of a list of snapshots.
 *
 * @param isReversed whether the natural direction of the key is reversed
 */
public record SnapshotOrder(Key key, boolean isReversed) {
  /** Newest upload first. */
  public static final SnapshotOrder NEWEST = new SnapshotOrder(Key.NEWEST, /* isReversed= */ false);

  /** By job and rank. */
  public static final SnapshotOrder JOB = new SnapshotOrder(Key.JOB, /* isReversed= */ false);

  private static final String GROUPED =
      "case when job is null then 1 else 0 end,"
          + " case when job is null then null else max(uploaded) over (partition by job) end desc,"
          + " job,"
          + " case when regexp_like(rank, '^[0-9]{1,18}$') then cast(rank as bigint) end nulls"
          + " last,"
          + " rank nulls last, uploaded desc, id";

  /** Text ascends and numbers and times descend, unless the order is reversed. */
  public enum Key {
    NEWEST,
    /**
     * By job, the job with the newest upload first; within a job by rank, numeric ranks first;
     * within a rank newest first. Snapshots without a job come last. It cannot be reversed.
     */
    JOB,
    NAME,
    OOMS,
    PEAK,
    ALLOCATED,
    RESERVED,
    DEVICES,
    EVENTS,
    /** By name, then by the numbers of the version: 2.5 comes before 2.10. */
    PRODUCER
  }

  public SnapshotOrder {
    if (isReversed && key == Key.JOB) {
      throw new IllegalArgumentException("the order by job cannot be reversed");
    }
  }

  /** Whether small values come first. */
  public boolean isAscending() {
    boolean isText = key == Key.JOB || key == Key.NAME || key == Key.PRODUCER;
    return isText != isReversed;
  }

  /** The terms of the {@code order by} clause. */
  public String sql() {
    if (key == Key.JOB) {
      return GROUPED;
    }
    StringBuilder terms = new StringBuilder();
    for (String expression : expressions()) {
      terms.append(expression).append(isAscending() ? " asc" : " desc").append(" nulls last, ");
    }
    return terms + (key == Key.NEWEST ? "id" : "uploaded desc, id");
  }

  private List<String> expressions() {
    return switch (key) {
      case NEWEST -> List.of("uploaded");
      case JOB -> throw new AssertionError(key);
      case NAME -> List.of("lower(name)");
      case OOMS -> List.of("oom_count");
      case PEAK -> List.of("peak_bytes");
      case ALLOCATED -> List.of("allocated_bytes");
      case RESERVED -> List.of("reserved_bytes");
      case DEVICES -> List.of("device_count");
      case EVENTS -> List.of("event_count");
      case PRODUCER ->
          List.of(
              "regexp_substr(producer, '^[^0-9]*')",
              "cast(regexp_substr(producer, '[0-9]{1,9}') as integer)",
              "cast(substring(regexp_substr(producer, '\\.[0-9]{1,9}'), 2) as integer)",
              "producer");
    };
  }
}
