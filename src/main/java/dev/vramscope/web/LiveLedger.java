package dev.vramscope.web;

import dev.vramscope.analysis.AllocatorState;
import dev.vramscope.analysis.Ledger;
import dev.vramscope.live.DeviceChoice;
import dev.vramscope.live.DriverView;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import dev.vramscope.recorder.SnapshotBuilder;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * The ledger of a hosted allocator: rows of the allocator, and rows that only the driver can fill.
 *
 * @param ledger in the form of the other pages
 * @param driver the memory that the driver reports
 * @param isExclusive whether the device is simulated for this allocator alone
 */
record LiveLedger(LedgerView ledger, DriverView driver, boolean isExclusive) {
  static LiveLedger of(HostedAllocator hosted, DriverView driver) {
    Snapshot now =
        SnapshotBuilder.of(hosted.allocator(), hosted.allocator().ordinal(), Instant.now());
    OptionalLong total = OptionalLong.of(driver.totalBytes());
    OptionalLong none = OptionalLong.of(0);
    boolean isExclusive = hosted.choice() instanceof DeviceChoice.Sim;
    // On an exclusive device everything that the allocator has not reserved is free. Otherwise the
    // driver reports the rest, also when it is emulated.
    Ledger.DeviceMemory deviceMemory =
        isExclusive
            ? new Ledger.DeviceMemory(total, OptionalLong.empty(), none, none)
            : new Ledger.DeviceMemory(
                total,
                OptionalLong.of(driver.freeBytes()),
                outside(driver),
                known(driver.otherProcesses()));
    Ledger ledger =
        Ledger.of(
            AllocatorState.end(now.devices().getFirst()),
            SizeRules.of(now.settings()),
            deviceMemory);
    return new LiveLedger(LedgerView.of(ledger, hosted.kind().family()), driver, isExclusive);
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
