package dev.vramscope.web.plan;

import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.display.ShortNames;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Immediate;
import dev.vramscope.whatif.replays.SettingsRefusedException;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * What fits: choose recordings of a program at small sizes, name their values, and read the answer.
 */
@Controller
class PlanPage {
  private static final int CANDIDATES = 50;
  private static final int NAME_LENGTH = 60;

  private final SnapshotStore store;
  private final Plans plans;
  private final ProblemAdvice advice;

  PlanPage(SnapshotStore store, Plans plans, ProblemAdvice advice) {
    this.store = store;
    this.plans = plans;
    this.advice = advice;
  }

  @Immediate
  @GetMapping("/plan")
  String show(
      @RequestParam MultiValueMap<String, String> parameters,
      Model model,
      HttpServletResponse response) {
    PlanForm form = PlanForm.of(parameters);
    List<StoredSnapshot> snapshots = form.ids().stream().map(plans::stored).toList();
    model.addAttribute("form", form.withGuesses(snapshots));
    model.addAttribute("chosen", snapshots);
    if (snapshots.size() < 2) {
      List<StoredSnapshot> candidates =
          store.find(SnapshotFilter.newest(CANDIDATES)).stream()
              .filter(stored -> stored.eventCount() > 0)
              .toList();
      model.addAttribute("candidates", candidates);
      model.addAttribute("names", ShortNames.ofSnapshots(candidates, NAME_LENGTH));
      return "plan";
    }
    model.addAttribute("names", ShortNames.ofSnapshots(snapshots, NAME_LENGTH));
    if (form.isComplete()) {
      addAnswer(form, model, response);
    }
    return "plan";
  }

  private void addAnswer(PlanForm form, Model model, HttpServletResponse response) {
    try {
      PlanView plan = plans.answer(form.request());
      model.addAttribute("plan", plan);
      model.addAttribute("chart", PlanChart.of(plan));
    } catch (RefusedRequestException | SettingsRefusedException refused) {
      advice.show(refused, model, response);
    }
  }
}
