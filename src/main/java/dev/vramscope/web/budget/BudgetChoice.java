package dev.vramscope.web.budget;

import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.budget.Budget;
import dev.vramscope.budget.Budget.Moment;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The moment that the parameters {@code at} and {@code n} select.
 *
 * @param n the index of the failure
 */
record BudgetChoice(Moment moment, int n) {
  static BudgetChoice of(@Nullable String at, int n, DeviceInspection device) {
    List<Moment> moments = device.moments().withBudget();
    if (at == null || at.isBlank()) {
      return checked(moments.getFirst(), n, device);
    }
    for (Moment moment : moments) {
      if (BudgetWords.at(moment).equals(at)) {
        return checked(moment, n, device);
      }
    }
    throw RefusedRequestException.badParameter(
        "at", at, String.join(" or ", moments.stream().map(BudgetWords::at).toList()));
  }

  private static BudgetChoice checked(Moment moment, int n, DeviceInspection device) {
    int count = device.ooms().size();
    if (moment == Moment.FAILURE && (n < 0 || n >= count)) {
      throw RefusedRequestException.badParameter("n", n, "0 to " + (count - 1));
    }
    return new BudgetChoice(moment, n);
  }

  Budget budget(DeviceInspection device, DeviceEvidence evidence) {
    return device.moments().budget(moment, n, evidence);
  }
}
