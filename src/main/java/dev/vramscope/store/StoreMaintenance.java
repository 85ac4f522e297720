package dev.vramscope.store;

import dev.vramscope.store.files.DataFolder;
import dev.vramscope.store.files.DiskSpace;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.files.UnmovedOriginals;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Brings the database in line with the original files while the service is running: makes missing
 * rows, removes rows of deleted snapshots, moves originals of an older release out of the database,
 * and opens the database for writing when there is room again. It starts before the web server, and
 * compares names and rows before it returns.
 */
@Component
final class StoreMaintenance implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(StoreMaintenance.class);
  private static final long INTERVAL_MILLIS = 1000;
  private static final int MAX_FAILURES = 3;
  private static final String ONLY_IN_DATABASE =
      "Its original file could not be read from the damaged database, which was set aside. Upload"
          + " the file again to repair it.";

  private final Reconciliation reconciliation;
  private final SnapshotRepair repair;
  private final Originals originals;
  private final SnapshotIndex index;
  private final StoreState state;
  private final Database database;
  private final DiskSpace space;
  private final UnmovedOriginals unmoved;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stopped = lock.newCondition();

  private @Nullable Thread thread;
  private volatile boolean running;
  private volatile boolean ending;
  private int comparedGeneration = -1;
  private int failures;
  private boolean hasOriginalsInDatabase = true;
  private boolean hasOldResults = true;

  StoreMaintenance(
      Reconciliation reconciliation,
      SnapshotRepair repair,
      Originals originals,
      SnapshotIndex index,
      StoreState state,
      Database database,
      DataFolder folder) {
    this.reconciliation = reconciliation;
    this.repair = repair;
    this.originals = originals;
    this.index = index;
    this.state = state;
    this.database = database;
    space = folder.space();
    unmoved = folder.unmoved();
  }

  @Override
  public int getPhase() {
    return 0;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public void start() {
    reconciliation.finishInterrupted();
    try {
      compare();
    } catch (StoreUnavailableException unreadable) {
      LOG.warn("The database cannot be compared with the original files yet", unreadable);
    }
    running = true;
    thread = Thread.ofVirtual().name("store-maintenance").start(this::runUntilStopped);
  }

  @Override
  public void stop() {
    lock.lock();
    try {
      running = false;
      ending = true;
      stopped.signalAll();
    } finally {
      lock.unlock();
    }
    Thread ending = thread;
    if (ending != null) {
      try {
        ending.join();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void runUntilStopped() {
    while (running) {
      try {
        runOnce();
      } catch (StoreUnavailableException later) {
        LOG.debug("Maintenance continues when the disk has room", later);
      } catch (RuntimeException | OutOfMemoryError failed) {
        LOG.error("Maintenance failed; it is tried again", failed);
      }
      sleep();
    }
  }

  private void sleep() {
    lock.lock();
    try {
      long remaining = TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS);
      while (running && remaining > 0) {
        remaining = stopped.awaitNanos(remaining);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      running = false;
    } finally {
      lock.unlock();
    }
  }

  /** Does all that can be done now. */
  void runOnce() {
    if (!space.hasRoom()) {
      return;
    }
    database.requireWritable();
    if (database.isDamaged()) {
      replaceDatabase();
    }
    if (database.generation() != comparedGeneration) {
      compare();
    }
    state.deleted().forEach(repair::removeRows);
    rebuildMissing();
    moveOriginals();
    updateResults();
  }

  /** Does all work in this thread, before {@link #start}. */
  void runToEnd() {
    reconciliation.finishInterrupted();
    compare();
    running = true;
    runOnce();
    running = false;
  }

  private void compare() {
    int generation = database.generation();
    reconciliation.compare();
    if (hasOriginalsInDatabase) {
      unmoved.record(index.originalsInDatabase().size());
    }
    comparedGeneration = database.mode() == Database.Mode.CLOSED ? generation - 1 : generation;
  }

  private void rebuildMissing() {
    Optional<Map.Entry<String, String>> missing = state.nextMissing("");
    while (missing.isPresent() && running) {
      String id = missing.get().getKey();
      try {
        repair.rebuild(id, missing.get().getValue());
        LOG.info("The rows of {} were rebuilt ({})", id, state.progress());
      } catch (DamagedSnapshotException damaged) {
        LOG.error("The rows of {} cannot be rebuilt: {}", id, damaged.what());
      } catch (OutOfMemoryError tooLarge) {
        LOG.error("The rows of {} cannot be rebuilt: {}", id, tooLarge.getMessage());
        state.damaged(Damage.needingHeap(id));
      } catch (StoreUnavailableException unreadable) {
        space.require(0);
        LOG.warn("The rows of {} cannot be rebuilt now; the others are", id, unreadable);
        missing = state.nextMissing(id);
        continue;
      }
      if (state.isMissing(id)) {
        notWritten(id);
        return; // It is tried again later.
      }
      failures = 0;
      missing = state.nextMissing(id);
    }
  }

  /** A database that repeatedly cannot be written although there is room is damaged. */
  private void notWritten(String id) {
    if (space.hasRoom() && ++failures >= MAX_FAILURES) {
      failures = 0;
      if (database.setAside().isEmpty()) {
        LOG.error("The rows of {} cannot be written: the database is rebuilt", id);
        replaceDatabase();
        compare();
      } else {
        state.damaged(new Damage(id, "", "Its rows cannot be written; the log has the details."));
      }
    }
  }

  /**
   * Sets the database aside. Originals of an older release that are only in it are copied to files
   * first, each on its own: some of them may be readable. The number of the others is kept; if they
   * cannot be listed, it is the one that was recorded last.
   */
  void replaceDatabase() {
    Set<String> inDatabase = Set.of();
    int unsaved = 0;
    boolean listed = false;
    try {
      inDatabase = index.originalsInDatabase();
      listed = true;
    } catch (StoreUnavailableException unreadable) {
      LOG.error("Originals that are only in the damaged database cannot be listed", unreadable);
    }
    for (String id : inDatabase) {
      if (ending) {
        return; // The next start replaces the database.
      }
      try {
        repair.moveOriginal(id);
      } catch (StoreUnavailableException | DamagedSnapshotException unreadable) {
        LOG.warn("The original of {} cannot be moved with its row", id, unreadable);
      }
      if (originals.find(id).isEmpty() && !saveOriginal(id)) {
        unsaved++;
      }
    }
    space.require(0);
    if (listed) {
      unmoved.record(unsaved);
    }
    database.replace();
  }

  private boolean saveOriginal(String id) {
    try {
      repair.saveOriginal(id);
      return true;
    } catch (StoreUnavailableException | DamagedSnapshotException unreadable) {
      space.require(0);
      LOG.error("The original of {} is only in the database that is set aside", id, unreadable);
      state.damaged(new Damage(id, "", ONLY_IN_DATABASE));
      return false;
    }
  }

  /** Computes the results that another release has computed, once per start. */
  private void updateResults() {
    if (!hasOldResults) {
      return;
    }
    for (Map.Entry<String, String> old : index.withOldResults().entrySet()) {
      if (running && state.damage(old.getKey()).isEmpty()) {
        try {
          repair.updateResults(old.getKey(), old.getValue());
        } catch (OutOfMemoryError tooLarge) {
          LOG.error("The results of {} are missing: {}", old.getKey(), tooLarge.getMessage());
        }
      }
    }
    hasOldResults = !running;
  }

  private void moveOriginals() {
    if (!hasOriginalsInDatabase) {
      return;
    }
    Set<String> inDatabase = index.originalsInDatabase();
    int left = inDatabase.size();
    for (String id : inDatabase) {
      if (running && state.damage(id).isEmpty()) {
        try {
          repair.moveOriginal(id);
          unmoved.record(--left);
        } catch (DamagedSnapshotException damaged) {
          LOG.error("The original of {} stays in the database: {}", id, damaged.what());
        }
      }
    }
    hasOriginalsInDatabase = !running;
  }
}
