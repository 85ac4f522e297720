package dev.vramscope.web.list;

import dev.vramscope.store.listing.JobTotals;
import dev.vramscope.store.listing.StoredSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive rows of the list with the same job.
 *
 * @param job null for snapshots without a job
 * @param totals of the job, including the rows on other pages; null without a job
 */
public record SnapshotGroup(
    @Nullable String job, @Nullable JobTotals totals, List<RankGroup> ranks) {
  /** Consecutive rows of a job with the same rank. */
  public record RankGroup(@Nullable String rank, List<StoredSnapshot> snapshots) {}

  /** Groups rows that are ordered by job and rank. */
  static List<SnapshotGroup> of(List<StoredSnapshot> snapshots, Map<String, JobTotals> totals) {
    List<SnapshotGroup> groups = new ArrayList<>();
    for (StoredSnapshot stored : snapshots) {
      String job = stored.tags().job();
      if (groups.isEmpty() || !Objects.equals(groups.getLast().job, job)) {
        groups.add(new SnapshotGroup(job, job == null ? null : totals.get(job), new ArrayList<>()));
      }
      List<RankGroup> ranks = groups.getLast().ranks;
      String rank = stored.tags().rank();
      if (ranks.isEmpty() || !Objects.equals(ranks.getLast().rank, rank)) {
        ranks.add(new RankGroup(rank, new ArrayList<>()));
      }
      ranks.getLast().snapshots.add(stored);
    }
    return groups;
  }
}
