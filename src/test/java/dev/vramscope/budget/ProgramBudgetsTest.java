package dev.vramscope.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.budget.Budget.Moment;
import dev.vramscope.budget.Budget.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Budgets of real PyTorch programs, whose models are known: the expected bytes are counted from
 * their layers, as {@code programs.py} defines them, with 32-bit parameters.
 */
class ProgramBudgetsTest {
  private static final int VOCABULARY = 32_000;

  static List<Path> recordings() throws IOException {
    try (Stream<Path> programs = Files.list(TestData.folder("programs"));
        Stream<Path> ooms = Files.list(TestData.folder("ooms"))) {
      return Stream.concat(programs, ooms).filter(Files::isDirectory).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void addsUpAtEveryMoment(Path folder) {
    RecordedBudget recorded = RecordedBudget.of(folder.resolve("snapshot.pickle.gz"));
    for (Moment moment : Moment.values()) {
      if (moment == Moment.FAILURE && recorded.device.trace().ooms().isEmpty()) {
        continue;
      }
      Budget budget = recorded.at(moment, OptionalLong.empty());
      long parts = budget.parts().stream().mapToLong(Part::bytes).sum();
      long live = bytes(budget, Item.LIVE_REQUESTED) + bytes(budget, Item.LIVE_REQUEST_UNKNOWN);
      assertThat(parts).as(folder + " " + moment).isEqualTo(live);
      for (Part part : budget.parts()) {
        assertThat(part.sites()).isNotEmpty();
        long sites = part.sites().stream().mapToLong(Budget.SiteBytes::bytes).sum();
        assertThat(sites).isLessThanOrEqualTo(part.bytes());
        assertThat(sites == part.bytes()).isEqualTo(part.siteCount() == part.sites().size());
      }
      if (bytes(budget, Item.DEVICE_FREE) > 0) {
        long least = budget.ledger().reservedBytes() + bytes(budget, Item.DEVICE_FREE);
        Budget whole = recorded.at(moment, OptionalLong.of(least + 12_345));
        assertThat(whole.ledger().remainder()).isEqualTo(new Amount.Known(12_345));
        assertThat(whole.parts()).isEqualTo(budget.parts());
      }
    }
  }

  private static long bytes(Budget budget, Item item) {
    return budget.ledger().amount(item) instanceof Amount.Known(long bytes) ? bytes : 0;
  }

  private static long parameterBytes(long width, int layers) {
    long attention = 4 * width * width;
    long mlp = 8 * width * width + 5 * width;
    long norms = 4 * width;
    return 4 * (2 * VOCABULARY * width + layers * (attention + mlp + norms) + 2 * width);
  }

  /** At the failure, or at the peak of a program that did not fail. */
  @ParameterizedTest
  @CsvSource({
    "autocast_and_accumulation, 1024, 12, 2",
    "keeps_losses, 1024, 6, 0",
    "keeps_outputs, 1024, 6, 0",
    "long_context_spike, 1024, 8, 2",
    "private_pool, 1024, 6, 2",
    "recomputed, 1024, 12, 2",
    "side_stream, 1024, 6, 2",
    "train_fixed, 1024, 12, 2",
    "train_varying, 1024, 12, 2",
    "first_optimizer_step, 2048, 16, 2",
  })
  void parametersAndOptimizerStateAreThoseOfTheModel(
      String program, long width, int layers, int valuesPerParameter) {
    RecordedBudget recorded = of(program);
    boolean fails = !recorded.device.trace().ooms().isEmpty();
    Budget budget = recorded.at(fails ? Moment.FAILURE : Moment.PEAK, OptionalLong.empty());
    long parameters = parameterBytes(width, layers);
    assertThat(budget.bytes(Use.PARAMETERS)).isEqualTo(parameters);
    assertThat(budget.bytes(Use.OPTIMIZER_STATE)).isEqualTo(valuesPerParameter * parameters);
    assertThat(budget.bytes(Use.WORKSPACES)).isEqualTo(32L << 20);
    var expectations = budget.comparison().expectations();
    if (valuesPerParameter == 0) {
      assertThat(expectations).isEmpty();
    } else {
      var state = budget.comparison().of(Use.OPTIMIZER_STATE).orElseThrow();
      assertThat(state.expectedBytes()).isEqualTo(state.measuredBytes());
      assertThat(state.difference()).isEmpty();
    }
  }

  /** The thread of the backward pass records no stacks; sizes and lifetimes find its gradients. */
  @ParameterizedTest
  @CsvSource({"first_optimizer_step, 2048, 16, 3291", "train_fixed, 1024, 12, 2500"})
  void gradientsAreThoseOfTheModelAfterTheBackwardPass(
      String program, long width, int layers, int event) {
    RecordedBudget recorded = of(program);
    long gradients = 0;
    long most = 0;
    for (int row = 0; row < recorded.lifetimes.size(); row++) {
      if (recorded.uses.use(row) == Use.GRADIENTS) {
        assertThat(recorded.lifetimes.hasStack(row)).isFalse();
      }
    }
    for (int moment = 0; moment <= event; moment += 20) {
      gradients = 0;
      for (int row = 0; row < recorded.lifetimes.size(); row++) {
        if (recorded.lifetimes.isActiveAt(row, moment) && recorded.uses.use(row) == Use.GRADIENTS) {
          gradients += recorded.lifetimes.bytes(row);
        }
      }
      most = Math.max(most, gradients);
    }
    assertThat(most).isEqualTo(parameterBytes(width, layers));
  }

  private static RecordedBudget of(String program) {
    return RecordedBudget.of(
        TestData.folder("programs").resolve(program).resolve("snapshot.pickle.gz"));
  }
}
