package dev.vramscope.web.budget;

import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.budget.Budget.Moment;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.snapshot.EnteredSize;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.Tab;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** What the memory is used for: parameters, gradients, activations and the rest of the device. */
@Controller
class BudgetPage {
  private final SnapshotFrame frame;

  BudgetPage(SnapshotFrame frame) {
    this.frame = frame;
  }

  /** A moment that can be chosen. */
  record Choice(String at, String label, boolean isSelected) {}

  @GetMapping("/snapshots/{id}/budget")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String at,
      @RequestParam(defaultValue = "0") int n,
      @RequestParam @Nullable String total,
      Model model,
      HttpServletResponse response) {
    DeviceInspection inspection = frame.show(id, device, Tab.BUDGET, model);
    DeviceEvidence evidence = EnteredSize.forPage(total, inspection, model, response);
    BudgetChoice choice = BudgetChoice.of(at, n, inspection);
    model.addAttribute(
        "budget",
        BudgetView.of(
            choice.budget(inspection, evidence), inspection.stacks(), inspection.family()));
    model.addAttribute("n", n);
    model.addAttribute("at", BudgetWords.at(choice.moment()));
    model.addAttribute("isFailure", choice.moment() == Moment.FAILURE);
    model.addAttribute("moment", BudgetWords.label(choice.moment()));
    model.addAttribute("sitesBy", BudgetWords.sites(choice.moment()));
    model.addAttribute("choices", choices(inspection, choice));
    return "budget";
  }

  private static List<Choice> choices(DeviceInspection device, BudgetChoice selected) {
    return device.moments().withBudget().stream()
        .map(
            moment ->
                new Choice(
                    BudgetWords.at(moment), BudgetWords.label(moment), moment == selected.moment()))
        .toList();
  }
}
