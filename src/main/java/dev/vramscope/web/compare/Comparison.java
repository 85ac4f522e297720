package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.LedgerDiff;
import dev.vramscope.analysis.diff.MemoryDiff;
import dev.vramscope.analysis.diff.SettingsDiff;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.EnteredSize;
import dev.vramscope.web.snapshot.SnapshotCache;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Two devices compared: of two snapshots, or of one at two moments.
 *
 * @param memory with the largest rows of each kind of difference
 */
record Comparison(
    ComparedDevice a,
    ComparedDevice b,
    MemoryDiff memory,
    LedgerDiff ledger,
    SettingsDiff settings) {
  /** Whether it is the same device of the same snapshot. */
  public boolean isSameDevice() {
    return a.stored().id().equals(b.stored().id()) && a.device().ordinal() == b.device().ordinal();
  }

  /** The two devices at their moments. */
  record Sides(ComparedDevice a, ComparedDevice b) {}

  /** Reads both snapshots. */
  @Component
  static class Reader {
    private final SnapshotStore store;
    private final SnapshotCache snapshots;

    Reader(SnapshotStore store, SnapshotCache snapshots) {
      this.store = store;
      this.snapshots = snapshots;
    }

    /**
     * Compares the two sides of {@link #sides}, which has the same parameters.
     *
     * @param rows the most sites, and the most stacks, of each kind of difference
     */
    Comparison of(
        String id,
        @Nullable Integer device,
        @Nullable String at,
        String other,
        @Nullable Integer otherDevice,
        @Nullable String otherAt,
        int rows) {
      Sides sides = sides(id, device, at, other, otherDevice, otherAt);
      ComparedDevice a = sides.a;
      ComparedDevice b = sides.b;
      return new Comparison(
          a,
          b,
          MemoryDiff.of(a.analyzed(), b.analyzed(), rows),
          LedgerDiff.of(
              a.device()
                  .moments()
                  .ledger(a.moment().event(), EnteredSize.required(null, a.device())),
              b.device()
                  .moments()
                  .ledger(b.moment().event(), EnteredSize.required(null, b.device()))),
          SettingsDiff.of(a.loaded().snapshot().settings(), b.loaded().snapshot().settings()));
    }

    /**
     * The two sides of a comparison.
     *
     * @param at peak, end or an event; null for the peak
     * @param otherAt the same of the second device; null for the same as the first one, and for the
     *     end where that is an event, or one device is compared with itself
     * @throws RefusedRequestException if a snapshot, device or event does not exist
     */
    Sides sides(
        String id,
        @Nullable Integer device,
        @Nullable String at,
        String other,
        @Nullable Integer otherDevice,
        @Nullable String otherAt) {
      SnapshotInspection first = snapshots.get(id);
      SnapshotInspection second = snapshots.get(other);
      DeviceInspection firstDevice = ChosenDevice.ofGpu(first, device);
      DeviceInspection secondDevice = ChosenDevice.ofGpu(second, otherDevice);
      String moment = at == null || at.isBlank() ? CompareMoment.PEAK : at;
      boolean isSame = id.equals(other) && firstDevice.ordinal() == secondDevice.ordinal();
      boolean isEnd = isSame ? !moment.equals(CompareMoment.END) : isEvent(moment);
      String otherMoment =
          otherAt != null && !otherAt.isBlank()
              ? otherAt
              : isEnd ? CompareMoment.END : isSame ? CompareMoment.PEAK : moment;
      ComparedDevice a =
          new ComparedDevice(
              "A", stored(id), first, firstDevice, CompareMoment.of("at", moment, firstDevice));
      ComparedDevice b =
          new ComparedDevice(
              "B",
              stored(other),
              second,
              secondDevice,
              CompareMoment.of("otherAt", otherMoment, secondDevice));
      return new Sides(a, b);
    }

    private StoredSnapshot stored(String id) {
      return store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
    }

    private static boolean isEvent(String moment) {
      return !moment.equals(CompareMoment.PEAK) && !moment.equals(CompareMoment.END);
    }
  }
}
