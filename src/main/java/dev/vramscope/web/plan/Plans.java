package dev.vramscope.web.plan;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
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
import java.util.List;
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

  private final Cache<Question, PlanView> answers =
      Caffeine.newBuilder().maximumSize(KEPT).executor(Runnable::run).build();

  /**
   * What a plan depends on.
   *
   * @param names of the snapshots, which the answer shows and a user can change
   */
  private record Question(PlanRequest request, List<String> names) {}

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
    // Also for a kept answer: a snapshot may be deleted.
    List<String> names = runs.stream().map(run -> stored(run.snapshot()).name()).toList();
    Question question = new Question(request, names);
    PlanView answer = answers.getIfPresent(question);
    if (answer != null) {
      return answer;
    }
    try {
      return work.run(WorkKind.PLAN, Requesters.current(), () -> knownOrComputed(question, runs));
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

  /** While a plan waits for its turn, the same one may be computed for another client. */
  private PlanView knownOrComputed(Question question, List<PlanRequest.CheckedRun> runs)
      throws PlanRefusedException {
    PlanView answer = answers.getIfPresent(question);
    if (answer != null) {
      return answer;
    }
    PlanView view = computed(question, runs);
    answers.put(question, view);
    return view;
  }

  private PlanView computed(Question question, List<PlanRequest.CheckedRun> runs)
      throws PlanRefusedException {
    List<SizedRecording> recordings = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      PlanRequest.CheckedRun run = runs.get(i);
      SnapshotInspection snapshot = snapshots.get(run.snapshot());
      DeviceInspection device = ChosenDevice.allocatorOfGpu(snapshot, ordinal(run, snapshot));
      recordings.add(SizedRecording.of(question.names.get(i), run.values(), device));
    }
    Progress progress = Progress.ofAll("plan", LIMIT, HeavyWork::checkpoint);
    Plan plan = Plan.of(recordings, progress);
    PlanAnswer answer =
        PlanAnswer.of(plan, question.request.question(plan), progress, /* threads= */ 1);
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
