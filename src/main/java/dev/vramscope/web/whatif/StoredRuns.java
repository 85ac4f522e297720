package dev.vramscope.web.whatif;

import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.whatif.replays.ReplayableRun;
import dev.vramscope.whatif.replays.WhatIfPlan;
import java.util.Optional;

/** The recordings of stored snapshots, as the replays of jobs ask for them. */
public final class StoredRuns {
  private final SnapshotCache snapshots;

  public StoredRuns(SnapshotCache snapshots) {
    this.snapshots = snapshots;
  }

  /**
   * The recording of a plan.
   *
   * @throws RefusedRequestException if its snapshot was deleted
   */
  public ReplayableRun of(WhatIfPlan plan) {
    return ChosenDevice.of(snapshots.get(plan.snapshot()), plan.device()).replays().replayable();
  }

  /** What is said of a replay whose snapshot was deleted; empty for another failure. */
  public static Optional<String> sentenceIfDeleted(Throwable failure) {
    return failure instanceof RefusedRequestException deleted
        ? Optional.of(deleted.getMessage() + ".")
        : Optional.empty();
  }
}
