package dev.vramscope.web;

import dev.vramscope.analysis.AllocatorState;
import dev.vramscope.analysis.Ledger;
import dev.vramscope.live.DeviceChoice;
import dev.vramscope.live.DriverView;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import dev.vramscope.recorder.SnapshotTaker;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * The ledger of a hosted allocator: its own rows, and the driver's view for those that no snapshot
 * can fill.
 *
 * @param ledger as every other page shows it
 * @param driver what the driver says
 * @param hasCardAlone whether nothing else can be on the card: it was simulated for this allocator
 */
record LiveLedger(LedgerView ledger, DriverView driver, boolean hasCardAlone) {
  static LiveLedger of(HostedAllocator hosted, DriverView driver) {
    Snapshot now =
        SnapshotTaker.of(hosted.allocator(), hosted.allocator().ordinal(), Instant.now());
    OptionalLong total = OptionalLong.of(driver.totalBytes());
    OptionalLong none = OptionalLong.of(0);
    boolean hasCardAlone = hosted.choice() instanceof DeviceChoice.Sim;
    // There what the allocator does not hold is free; a GPU's driver is asked, the emulated one
    // too.
    Ledger.Surroundings surroundings =
        hasCardAlone
            ? new Ledger.Surroundings(total, OptionalLong.empty(), none, none)
            : new Ledger.Surroundings(
                total,
                OptionalLong.of(driver.freeBytes()),
                outside(driver),
                known(driver.otherProcesses()));
    Ledger ledger =
        Ledger.of(
            AllocatorState.end(now.devices().getFirst()),
            SizeRules.of(now.settings()),
            surroundings);
    return new LiveLedger(LedgerView.of(ledger), driver, hasCardAlone);
  }

  private static OptionalLong outside(DriverView driver) {
    OptionalLong outside = known(driver.outside());
    return outside.isEmpty()
        ? outside
        : OptionalLong.of(outside.getAsLong() + driver.otherAllocatorsBytes());
  }

  private static OptionalLong known(DriverView.Part part) {
    return part.bytes() == null ? OptionalLong.empty() : OptionalLong.of(part.bytes());
  }
}
