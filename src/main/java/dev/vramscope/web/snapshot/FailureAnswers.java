package dev.vramscope.web.snapshot;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.intake.SnapshotStored;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.postmortem.explanation.Explanation;
import dev.vramscope.store.DamagedSnapshotException;
import dev.vramscope.store.SnapshotPendingException;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.FailureAnswer;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.WorkCancelledException;
import dev.vramscope.work.WorkKind;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Finds out in the background why the first failure of a snapshot happened and what would have
 * helped, with the replays that this needs: its pages then have the answer at once, and lists show
 * it. Thread-safe.
 */
@Component
public final class FailureAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(FailureAnswers.class);

  /** Further snapshots have their answer when they are opened. */
  private static final int MAX_WAITING = 256;

  private static final String CLIENT = "background";

  private final SnapshotCache snapshots;
  private final SnapshotStore store;
  private final HeavyWork work;

  /** Guarded by this. */
  private final Set<String> waiting = new HashSet<>();

  FailureAnswers(SnapshotCache snapshots, SnapshotStore store, HeavyWork work) {
    this.snapshots = snapshots;
    this.store = store;
    this.work = work;
  }

  @EventListener
  void prepare(SnapshotStored stored) {
    boolean isFailure =
        stored.history().snapshot().devices().stream()
            .anyMatch(device -> device.failedRequestCount() > 0);
    if (isFailure) {
      prepare(stored.id());
    }
  }

  /** Finds the answer some time, if the snapshot has a failure and stays loaded until then. */
  public void prepare(String id) {
    synchronized (this) {
      if (waiting.size() >= MAX_WAITING || !waiting.add(id)) {
        return;
      }
    }
    work.submit(WorkKind.BACKGROUND, CLIENT, () -> answer(id), () -> begun(id));
  }

  /** What is asked for from now on may have another answer. */
  private synchronized void begun(String id) {
    waiting.remove(id);
  }

  private void answer(String id) {
    begun(id);
    try {
      snapshots
          .inBackground(id)
          .flatMap(SnapshotInspection::main)
          .flatMap(FailureAnswers::of)
          .ifPresent(answer -> store.setAnswer(id, answer));
    } catch (WorkCancelledException
        | RefusedRequestException
        | SnapshotPendingException
        | DamagedSnapshotException gone) {
      LOG.debug("The answer about {} is not prepared", id, gone);
    } catch (StoreUnavailableException full) {
      LOG.warn("The answer about {} is not stored", id, full);
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError failure) {
      LOG.warn("The answer about {} cannot be prepared; its pages compute it", id, failure);
    }
  }

  private static Optional<FailureAnswer> of(DeviceInspection device) {
    if (device.device().isFailedRequestUnknown()) {
      return Optional.of(
          new FailureAnswer(
              "unknown, as the file does not contain the request",
              device.failures().unrecordedRequest().nextStep().text()));
    }
    if (device.ooms().isEmpty()) {
      return Optional.empty();
    }
    var evidence = device.evidence().combined();
    Explanation explanation = device.failures().explanation(0, evidence, ReplayEffort.FULL);
    return Optional.of(
        new FailureAnswer(
            device.failures().report(0, evidence).verdict().causeText(),
            explanation.remedies().first().map(remedy -> remedy.action().text()).orElse("")));
  }
}
