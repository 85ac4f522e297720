package dev.vramscope.web.compiled;

import dev.vramscope.compiled.scaling.ProgramPlan;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.work.WorkKind;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** What fits: choose compiled programs of a function, name their values, and read the answer. */
@Controller
class ProgramPlanPage {
  private static final int CANDIDATES = 50;

  private final SnapshotStore store;
  private final StoredPrograms programs;
  private final ProgramPlans plans;
  private final ProblemAdvice advice;

  ProgramPlanPage(
      SnapshotStore store, StoredPrograms programs, ProgramPlans plans, ProblemAdvice advice) {
    this.store = store;
    this.programs = programs;
    this.plans = plans;
    this.advice = advice;
  }

  @Heavy(WorkKind.COMPARISON)
  @GetMapping("/compiled/plan")
  String show(
      @RequestParam MultiValueMap<String, String> parameters,
      Model model,
      HttpServletResponse response)
      throws IOException {
    ProgramPlanForm entered = ProgramPlanForm.of(parameters);
    List<ChosenProgram> chosen = plans.chosen(entered);
    ProgramPlanForm form = ProgramPlans.completed(entered, chosen);
    model.addAttribute("form", form);
    model.addAttribute("chosen", chosen);
    if (chosen.size() < 2 || form.isChoosing()) {
      addCandidates(chosen, model);
      return "compiled-plan";
    }
    model.addAttribute("isGuessed", !entered.hasValues() && form.hasValues());
    if (form.hasValues()) {
      addAnswer(form, chosen, model, response);
    }
    return "compiled-plan";
  }

  /** All programs of the uploads that are chosen from, and other uploads. */
  private void addCandidates(List<ChosenProgram> chosen, Model model) throws IOException {
    Map<String, StoredSnapshot> uploads = new LinkedHashMap<>();
    chosen.forEach(each -> uploads.put(each.stored().id(), each.stored()));
    Map<StoredSnapshot, List<FileView.ProgramRow>> rows = new LinkedHashMap<>();
    for (StoredSnapshot upload : uploads.values()) {
      rows.put(upload, FileView.rows(programs.read(upload.id())));
    }
    model.addAttribute("uploads", rows);
    model.addAttribute(
        "others",
        store.find(SnapshotFilter.newest(CANDIDATES)).stream()
            .filter(StoredSnapshot::isCompiled)
            .filter(stored -> !uploads.containsKey(stored.id()))
            .toList());
  }

  private void addAnswer(
      ProgramPlanForm form, List<ChosenProgram> chosen, Model model, HttpServletResponse response) {
    try {
      ProgramPlan plan = ProgramPlans.plan(form, chosen);
      ProgramPlanView view = ProgramPlans.view(form, chosen, plan);
      model.addAttribute("plan", view);
      model.addAttribute("chart", ProgramPlanChart.of(plan, view));
    } catch (RefusedRequestException refused) {
      advice.show(refused, model, response);
    }
  }
}
