package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Events that contradict each other are counted; nothing is thrown. */
class HostileRecordingsTest {
  private static final TraceAction[] ACTIONS = TraceAction.values();
  private static final long MIB = 1L << 20;

  @Test
  void randomEventsAreComparedToTheEnd() {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      DeviceSnapshot device = new DeviceSnapshot(0, segments(random), trace(random), List.of());
      Fidelity fidelity = fidelity(device);
      assertThat(fidelity.reproducedPlacements())
          .as("seed " + seed)
          .isBetween(0, fidelity.placements());
      assertThat(fidelity.reproducedSegmentEvents()).isBetween(0, fidelity.segmentEvents());
    }
  }

  private static Fidelity fidelity(DeviceSnapshot device) {
    Snapshot snapshot =
        new Snapshot(
            new Origin("test", "PyTorch 2.12 or later", Trace.NO_TIME),
            Optional.empty(),
            List.of(device),
            new StackTable.Builder().build(),
            List.of());
    return Fidelity.of(snapshot, device, Lifetimes.of(device));
  }

  private static Trace trace(SplittableRandom random) {
    Trace.Builder trace = new Trace.Builder();
    int events = random.nextInt(400);
    for (int i = 0; i < events; i++) {
      TraceAction action = ACTIONS[random.nextInt(ACTIONS.length)];
      int row = trace.add(action, address(random), bytes(random));
      trace.stream(row, random.nextInt(4) == 0 ? random.nextLong() : 0);
      if (random.nextBoolean()) {
        trace.pool(row, new PoolId(random.nextInt(2), random.nextInt(2)));
      }
      if (action == TraceAction.OOM) {
        trace.oom(row, bytes(random), random.nextLong());
      }
    }
    return trace.build();
  }

  private static long address(SplittableRandom random) {
    return switch (random.nextInt(12)) {
      case 0 -> random.nextLong();
      case 1 -> 0;
      default -> 0x7f00_0000_0000L + 512 * random.nextLong(64);
    };
  }

  private static long bytes(SplittableRandom random) {
    return switch (random.nextInt(12)) {
      case 0 -> random.nextLong();
      case 1 -> 0;
      case 2 -> 20 * MIB;
      default -> random.nextLong(4 * MIB);
    };
  }

  private static List<Segment> segments(SplittableRandom random) {
    List<Segment> segments = new ArrayList<>();
    long address = 0x7f00_0000_0000L;
    for (int i = random.nextInt(4); i > 0; i--) {
      long bytes = random.nextBoolean() ? 2 * MIB : 20 * MIB;
      long first = 512 * (1 + random.nextLong(bytes / 512 - 1));
      boolean odd = random.nextInt(6) == 0;
      BlockState[] states = BlockState.values();
      segments.add(
          new Segment(
              address,
              bytes,
              random.nextInt(2),
              random.nextBoolean() ? PoolKind.SMALL : PoolKind.LARGE,
              new PoolId(0, random.nextInt(2)),
              random.nextBoolean(),
              StackTable.NONE,
              List.of(
                  block(address, first - (odd ? 1 : 0), states[random.nextInt(states.length)]),
                  block(
                      address + first - (odd ? 1 : 0),
                      bytes - first + (odd ? 1 : 0),
                      states[random.nextInt(states.length)]))));
      address += bytes + 512 * random.nextLong(3);
    }
    return segments;
  }

  private static Block block(long address, long bytes, BlockState state) {
    return new Block(address, bytes, bytes, state, StackTable.NONE);
  }
}
