package dev.vramscope.store;

import dev.vramscope.store.files.DataFolder;
import dev.vramscope.store.files.DiskSpace;
import dev.vramscope.store.files.SetAsideOriginals;
import dev.vramscope.store.files.UnmovedOriginals;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The condition of the store, for pages, the REST API and the health check. */
@Component
public final class StoreStatus {
  /** Damaged snapshots in a report: a damaged disk can have thousands. */
  static final int MAX_DAMAGED = 20;

  private static final Logger LOG = LoggerFactory.getLogger(StoreStatus.class);

  private final DiskSpace space;
  private final UnmovedOriginals unmoved;
  private final Database database;
  private final StoreState state;

  StoreStatus(DataFolder folder, Database database, StoreState state) {
    space = folder.space();
    unmoved = folder.unmoved();
    this.database = database;
    this.state = state;
  }

  /**
   * The condition at one moment.
   *
   * @param readable whether the list of snapshots can be read
   * @param writable whether snapshots can be stored
   * @param problem why not; empty if they can
   * @param rebuilt snapshots whose rows were rebuilt
   * @param rebuilding snapshots whose rows were missing; 0 if none is
   * @param setAside the file names of damaged databases that were set aside and not deleted since,
   *     oldest first
   * @param unsaved originals of an older release that are only in databases that were set aside
   * @param recoveredCount the number of snapshots whose name and tags are lost, because the file
   *     with them was missing or damaged and no row had them; each counts until it is named
   * @param recovered the first of them, by id
   * @param damagedCount the number of damaged snapshots
   * @param damaged the first of them by id, at most {@link #MAX_DAMAGED}; {@link #damaged} returns
   *     the others
   */
  public record Report(
      boolean readable,
      boolean writable,
      String problem,
      int rebuilt,
      int rebuilding,
      List<String> setAside,
      List<SetAsideOriginals> unsaved,
      int recoveredCount,
      List<String> recovered,
      int damagedCount,
      List<Damage> damaged) {
    /** Whether every snapshot can be used, none has lost its name, and others can be stored. */
    public boolean isGood() {
      return writable
          && rebuilding == 0
          && recoveredCount == 0
          && damagedCount == 0
          && unsaved.isEmpty();
    }
  }

  /** The damaged snapshots by id, without the first {@code offset}. */
  public List<Damage> damaged(int offset, int limit) {
    return state.damages(offset, limit);
  }

  public int damagedCount() {
    return state.damageCount();
  }

  public Report report() {
    StoreState.Progress progress = state.progress();
    List<String> recovered = state.recovered();
    Optional<String> problem = space.problem();
    boolean open = database.mode() == Database.Mode.WRITABLE;
    return new Report(
        database.mode() != Database.Mode.CLOSED,
        problem.isEmpty() && open,
        problem.orElse(open ? "" : "The database is not open for writing"),
        progress.done(),
        progress.total(),
        database.setAsideFiles(),
        unsaved(),
        recovered.size(),
        recovered.stream().limit(MAX_DAMAGED).toList(),
        state.damageCount(),
        state.damages(0, MAX_DAMAGED));
  }

  private List<SetAsideOriginals> unsaved() {
    try {
      return unmoved.inSetAside();
    } catch (IOException unreadable) {
      LOG.warn("The data folder cannot be listed", unreadable);
      return List.of();
    }
  }
}
