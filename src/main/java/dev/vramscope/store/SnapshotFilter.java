package dev.vramscope.store;

import org.jspecify.annotations.Nullable;

/**
 * Which snapshots are looked for; null asks nothing.
 *
 * @param text part of the name or of a tag, in either case
 * @param job exactly this job
 * @param rank exactly this rank
 * @param host exactly this host
 * @param label has this label
 * @param limit at most so many
 * @param offset after so many
 */
public record SnapshotFilter(
    @Nullable String text,
    @Nullable String job,
    @Nullable String rank,
    @Nullable String host,
    @Nullable String label,
    int limit,
    int offset) {
  public SnapshotFilter {
    if (limit < 0 || offset < 0) {
      throw new IllegalArgumentException("limit " + limit + ", offset " + offset);
    }
  }

  /** The newest {@code limit} snapshots. */
  public static SnapshotFilter newest(int limit) {
    return new SnapshotFilter(null, null, null, null, null, limit, 0);
  }
}
