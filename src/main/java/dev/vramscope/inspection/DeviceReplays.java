package dev.vramscope.inspection;

import dev.vramscope.analysis.Lazy;
import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.RecordedRun;
import dev.vramscope.whatif.RecordedSettings;
import dev.vramscope.whatif.Reproduction;
import dev.vramscope.whatif.pool.PoolSettings;
import dev.vramscope.whatif.pool.RecordedPool;
import dev.vramscope.whatif.replays.KnownReplays;
import dev.vramscope.whatif.replays.PoolReproduction;
import dev.vramscope.whatif.replays.ReplayableRun;
import java.util.Optional;

/** The recorded requests of a device as a run to replay, and how exactly a replay repeats it. */
public final class DeviceReplays {
  private final Snapshot snapshot;
  private final DeviceSnapshot device;
  private final RecordedHistory history;
  private final KnownReplays knownReplays;
  private final Lazy<RecordedRun> requests;
  private final Lazy<RecordedRun> run;
  private final Lazy<Reproduction> reproduction;
  private final Lazy<Fidelity> fidelity;
  private final Lazy<Optional<PoolSettings>> pool;

  public DeviceReplays(
      Snapshot snapshot,
      DeviceSnapshot device,
      RecordedHistory history,
      KnownReplays knownReplays) {
    this.snapshot = snapshot;
    this.device = device;
    this.history = history;
    this.knownReplays = knownReplays;
    pool = new Lazy<>(() -> RecordedPool.of(snapshot, device));
    requests = new Lazy<>(() -> RecordedRun.of(snapshot, device, history.lifetimes()));
    run = new Lazy<>(this::continued);
    reproduction = new Lazy<>(() -> Reproduction.of(snapshot, device, history.lifetimes()));
    fidelity = new Lazy<>(() -> knownReplays.fidelity().orElseGet(this::measured));
  }

  /** The recorded requests, to be replayed under other settings. */
  public RecordedRun run() {
    return run.get();
  }

  /** The recorded requests, for whom it does not matter where blocks are. */
  public RecordedRun requests() {
    return requests.get();
  }

  /**
   * The recorded requests, for an allocator that holds nothing when the first one is made, with the
   * rule for equal free blocks that the release of PyTorch has or, of several, that the recording
   * shows.
   */
  public RecordedRun fromNothing() {
    return device.facts().family().isCaching() && hasSeveralRules()
        ? requests.get().placing(fidelity().tieBreak())
        : requests.get();
  }

  private boolean hasSeveralRules() {
    return RecordedSettings.of(snapshot, device).tieBreaks().size() > 1;
  }

  /** How exactly a replay under the recorded settings reproduces the recording. */
  public Fidelity fidelity() {
    return fidelity.get();
  }

  /** Whether nothing in the recording marks those steps. */
  public boolean areStepsGuessed() {
    return history.steps().source().isGuessed();
  }

  /** Whether the run has steps at which a program could empty the cache. */
  public boolean hasSteps() {
    return history.steps().startCount() > 0;
  }

  /** The pool of a recorded BFC allocator; empty if its regions are not recorded. */
  public Optional<PoolSettings> pool() {
    return pool.get();
  }

  /** The same; of a device whose regions are not recorded, a growing pool within its limit. */
  public PoolSettings poolToVary() {
    return pool().orElseGet(() -> RecordedPool.growing(device));
  }

  /** Whether the program used XLA's allocator, to which settings of PyTorch mean nothing. */
  public boolean isOfPool() {
    return device.facts().family().isBfc() || snapshot.origin().isOfXla();
  }

  public ReplayableRun replayable() {
    return new ReplayableRun(
        hasSteps(),
        device.facts().family().isCaching() || pool().isPresent(),
        this::run,
        this::fidelity);
  }

  private RecordedRun continued() {
    RecordedRun continued =
        device.facts().family().isCaching() && fidelity().isContinued()
            ? requests.get().continuing(reproduction.get())
            : fromNothing();
    return hasSteps() ? continued.withSteps(history.steps().starts()) : continued;
  }

  private Fidelity measured() {
    Fidelity result =
        pool()
            .map(recorded -> PoolReproduction.of(device, requests.get(), recorded))
            .orElseGet(() -> reproduction.get().fidelity());
    knownReplays.keep(result);
    return result;
  }
}
