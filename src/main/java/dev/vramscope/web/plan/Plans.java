package dev.vramscope.web.plan;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.plan.Plan;
import dev.vramscope.plan.PlanAnswer;
import dev.vramscope.plan.PlanRefusedException;
import dev.vramscope.plan.SizedRecording;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Requesters;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.ReplayLimitException;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.WorkKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Answers plans. One is computed at a time; the latest answers are kept. Thread-safe. */
@Component
final class Plans {
  private static final int KEPT = 32;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final SnapshotCache snapshots;
  private final SnapshotStore store;
  private final HeavyWork work;

  /** By request, the latest last. Guarded by itself. */
  private final Map<PlanRequest, PlanView> answers =
      new LinkedHashMap<>(KEPT, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<PlanRequest, PlanView> eldest) {
          return size() > KEPT;
        }
      };

  Plans(SnapshotCache snapshots, SnapshotStore store, HeavyWork work) {
    this.snapshots = snapshots;
    this.store = store;
    this.work = work;
  }

  /**
   * The answer to a request.
   *
   * @throws RefusedRequestException if it cannot be planned
   * @throws dev.vramscope.work.WorkBusyException if too many wait
   */
  PlanView answer(PlanRequest request) {
    List<PlanRequest.CheckedRun> runs = request.checkedRuns();
    runs.forEach(run -> stored(run.snapshot())); // Also of a kept answer: it may be deleted.
    PlanView answer = knownAnswer(request);
    if (answer != null) {
      return answer;
    }
    try {
      return work.run(WorkKind.PLAN, Requesters.current(), () -> knownOrComputed(request, runs));
    } catch (PlanRefusedException refused) {
      throw RefusedRequestException.notPlannable(
          withoutStop(String.valueOf(refused.getMessage())), refused.advice());
    } catch (ReplayLimitException tooLarge) {
      throw RefusedRequestException.notPlannable(
          withoutStop(String.valueOf(tooLarge.getMessage())),
          "Ask for fewer settings and devices, or record fewer steps.");
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private @Nullable PlanView knownAnswer(PlanRequest request) {
    synchronized (answers) {
      return answers.get(request);
    }
  }

  /** While a plan waits for its turn, the same one may be computed for another client. */
  private PlanView knownOrComputed(PlanRequest request, List<PlanRequest.CheckedRun> runs)
      throws PlanRefusedException {
    PlanView answer = knownAnswer(request);
    if (answer != null) {
      return answer;
    }
    PlanView view = computed(request, runs);
    synchronized (answers) {
      answers.put(request, view);
    }
    return view;
  }

  private PlanView computed(PlanRequest request, List<PlanRequest.CheckedRun> runs)
      throws PlanRefusedException {
    List<SizedRecording> recordings = new ArrayList<>();
    for (PlanRequest.CheckedRun run : runs) {
      SnapshotInspection snapshot = snapshots.get(run.snapshot());
      DeviceInspection device = ChosenDevice.allocatorOfGpu(snapshot, ordinal(run, snapshot));
      recordings.add(SizedRecording.of(stored(run.snapshot()).name(), run.values(), device));
    }
    Progress progress = new Progress(LIMIT, HeavyWork::checkpoint);
    Plan plan = Plan.of(recordings, progress);
    PlanAnswer answer = PlanAnswer.of(plan, request.question(plan), progress, /* threads= */ 1);
    return PlanView.of(plan, answer, runs.stream().map(PlanRequest.CheckedRun::snapshot).toList());
  }

  private static @Nullable Integer ordinal(
      PlanRequest.CheckedRun run, SnapshotInspection snapshot) {
    return run.device() != null
        ? run.device()
        : SizedRecording.deviceOf(snapshot).map(DeviceInspection::ordinal).orElse(null);
  }

  StoredSnapshot stored(String id) {
    return store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
  }

  private static String withoutStop(String sentence) {
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }
}
