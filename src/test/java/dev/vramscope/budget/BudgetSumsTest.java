package dev.vramscope.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.uses.TrainingTrace;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.budget.Budget.Moment;
import dev.vramscope.budget.Budget.Part;
import dev.vramscope.budget.Budget.SiteBytes;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.store.RandomSnapshots;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The parts of a budget add up to the live rows of its ledger, and the ledger to the device. */
class BudgetSumsTest {
  private static final long BASE = 1L << 30;
  private static final int STEPS = 200;

  /** A recording of a random program, with random stacks and some declared uses. */
  private static RecordedBudget recorded(HistoryModel model, int from, SplittableRandom random) {
    StackTable.Builder stacks = new StackTable.Builder();
    List<Integer> stackIds = new ArrayList<>(List.of(StackTable.NONE));
    for (var frame :
        List.of(
            TrainingTrace.INIT,
            TrainingTrace.FORWARD,
            TrainingTrace.BACKWARD,
            TrainingTrace.STATE,
            TrainingTrace.STEP)) {
      stackIds.add(stacks.stack(List.of(frame, TrainingTrace.MAIN)));
    }
    stackIds.add(stacks.stack(List.of(TrainingTrace.MAIN)));
    DeviceSnapshot plain = model.recordedFrom(from);
    Trace.Builder trace = new Trace.Builder();
    for (int event = 0; event < plain.trace().size(); event++) {
      Trace events = plain.trace();
      int row = trace.add(events.action(event), events.address(event), events.bytes(event));
      trace.stream(row, events.stream(event));
      if (events.action(event) == TraceAction.ALLOC) {
        trace.stack(row, stackIds.get(random.nextInt(stackIds.size())));
        if (random.nextInt(5) == 0) {
          trace.userMetadata(row, random.nextBoolean() ? "communication" : "weight");
        }
      }
    }
    DeviceSnapshot device = new DeviceSnapshot(0, plain.segments(), trace.build(), List.of());
    Snapshot snapshot =
        new Snapshot(
            new Origin("pickle", "a test", 0),
            Optional.empty(),
            List.of(device),
            stacks.build(),
            List.of());
    return new RecordedBudget(snapshot, device);
  }

  private static long sum(Budget budget) {
    return budget.parts().stream().mapToLong(Part::bytes).sum();
  }

  private static long known(Amount amount) {
    return amount instanceof Amount.Known(long bytes) ? bytes : 0;
  }

  private static long liveRows(Budget budget) {
    return known(budget.ledger().amount(Item.LIVE_REQUESTED))
        + known(budget.ledger().amount(Item.LIVE_REQUEST_UNKNOWN));
  }

  private static void assertPartsAreConsistent(String as, Budget budget) {
    for (Part part : budget.parts()) {
      assertThat(part.bytes()).as(as).isPositive();
      assertThat(part.siteCount()).as(as).isBetween(part.sites().size(), part.count());
      long sites = part.sites().stream().mapToLong(SiteBytes::bytes).sum();
      boolean isAll = part.siteCount() == part.sites().size();
      assertThat(sites).as(as).isLessThanOrEqualTo(part.bytes());
      assertThat(sites == part.bytes()).as(as).isEqualTo(isAll);
    }
  }

  @Test
  void budgetAddsUpToTheDeviceAfterEveryEvent() {
    Set<Use> found = EnumSet.noneOf(Use.class);
    for (long seed = 1; seed <= 12; seed++) {
      HistoryModel model = HistoryModel.of(seed, STEPS);
      SplittableRandom random = new SplittableRandom(seed);
      int from = random.nextInt(model.eventCount() / 2);
      RecordedBudget recorded = recorded(model, from, random);
      for (int event = from; event < model.eventCount(); event++) {
        String as = "seed " + seed + ", event " + event;
        long total = model.reservedBytes(event) + BASE;
        Budget budget = recorded.after(event - from, OptionalLong.of(total));
        List<Block> live =
            model.state(event).stream()
                .flatMap(segment -> segment.blocks().stream())
                .filter(block -> block.state() == BlockState.ALLOCATED)
                .toList();
        assertThat(sum(budget))
            .as(as)
            .isEqualTo(live.stream().mapToLong(Block::requestedBytes).sum());
        assertThat(budget.parts().stream().mapToInt(Part::count).sum())
            .as(as)
            .isEqualTo(live.size());
        assertThat(liveRows(budget)).as(as).isEqualTo(sum(budget));
        assertPartsAreConsistent(as, budget);
        assertAddsUp(as, budget.ledger(), total);
        budget.parts().forEach(part -> found.add(part.use()));
      }
    }
    assertThat(found).contains(Use.PARAMETERS, Use.ACTIVATIONS, Use.TEMPORARY, Use.NO_STACK);
  }

  /** Rows and remainder are the device, without a byte too many or too few. */
  private static void assertAddsUp(String as, Ledger ledger, long total) {
    long rows = ledger.rows().stream().mapToLong(row -> known(row.amount())).sum();
    assertThat(ledger.total()).as(as).isEqualTo(new Amount.Known(total));
    assertThat(ledger.remainder()).as(as).isEqualTo(new Amount.Known(BASE));
    assertThat(rows + BASE).as(as).isEqualTo(total);
    assertThat(ledger.reservedBytes()).as(as).isEqualTo(rows);
  }

  /** Files whose events contradict their segments. */
  @Test
  void budgetOfAnyFileAddsUpToItsLedger() {
    int count = 0;
    for (long seed = 0; seed < 150; seed++) {
      Snapshot snapshot = new RandomSnapshots(seed).next(300);
      for (DeviceSnapshot device : snapshot.devices()) {
        if (!device.segments().isEmpty()) {
          Budget budget = new RecordedBudget(snapshot, device).at(Moment.END, OptionalLong.empty());
          String as = "seed " + seed + ", device " + device.ordinal();
          assertThat(sum(budget)).as(as).isEqualTo(liveRows(budget));
          assertPartsAreConsistent(as, budget);
          count++;
        }
      }
    }
    assertThat(count).isGreaterThan(100);
  }
}
