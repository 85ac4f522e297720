package dev.vramscope.store;

import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The condition of the store, for pages, the REST API and the health check. */
@Component
public final class StoreStatus {
  private final DiskSpace space;
  private final Database database;
  private final StoreState state;

  StoreStatus(DataFolder folder, Database database, StoreState state) {
    space = folder.space();
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
   * @param setAside the file name of a damaged database that was set aside since the start; empty
   *     if there was none
   * @param damaged what is damaged
   */
  public record Report(
      boolean readable,
      boolean writable,
      String problem,
      int rebuilt,
      int rebuilding,
      String setAside,
      List<Damage> damaged) {
    /** Whether there is nothing to report. */
    public boolean isGood() {
      return writable && rebuilding == 0 && setAside.isEmpty() && damaged.isEmpty();
    }
  }

  public Report report() {
    StoreState.Progress progress = state.progress();
    Optional<String> problem = space.problem();
    boolean open = database.mode() == Database.Mode.WRITABLE;
    return new Report(
        database.mode() != Database.Mode.CLOSED,
        problem.isEmpty() && open,
        problem.orElse(open ? "" : "The database is not open for writing"),
        progress.done(),
        progress.total(),
        database.setAside().orElse(""),
        state.damages());
  }
}
