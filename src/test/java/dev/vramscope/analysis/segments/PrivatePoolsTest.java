package dev.vramscope.analysis.segments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PrivatePoolsTest {
  private static final long SEGMENT = 1 << 20;
  private static final long SLOT = 1 << 16;

  @Test
  void bytesOfEachPoolEqualARecount() {
    for (long seed = 0; seed < 100; seed++) {
      new Program(seed).compare();
    }
  }

  @Test
  void withoutPrivatePoolsTheHistoryIsNotNeeded() {
    DeviceSnapshot device =
        new DeviceSnapshot(0, List.of(), new Trace.Builder().build(), List.of());
    assertThat(
            PrivatePools.of(
                    device,
                    Lifetimes.of(device),
                    () -> {
                      throw new AssertionError("asked");
                    })
                .pools())
        .isEmpty();
  }

  /** Acquires and releases segments of random pools at the same addresses, with random blocks. */
  private static final class Program {
    private final SplittableRandom random;
    private final long seed;
    private final Trace.Builder trace = new Trace.Builder();
    private final PoolId[] pools = new PoolId[6];
    private final Map<Long, Long> live = new HashMap<>();
    private final List<Map<PoolId, long[]>> expected = new ArrayList<>();

    Program(long seed) {
      this.seed = seed;
      random = new SplittableRandom(seed);
    }

    void compare() {
      while (trace.size() < 400) {
        int slot = random.nextInt(pools.length);
        long base = SEGMENT * (slot + 1);
        boolean isEmpty = live.keySet().stream().noneMatch(at -> at / SEGMENT == slot + 1);
        if (pools[slot] == null) {
          pools[slot] = new PoolId(random.nextInt(10), 0);
          add(TraceAction.SEGMENT_ALLOC, base, SEGMENT, pools[slot]);
        } else if (isEmpty && random.nextInt(4) == 0) {
          PoolId pool = pools[slot];
          pools[slot] = null;
          add(TraceAction.SEGMENT_FREE, base, SEGMENT, pool);
        } else {
          long address = base + SLOT * random.nextInt(8);
          Long bytes = live.remove(address);
          if (bytes == null) {
            live.put(address, 1L + random.nextInt((int) SLOT));
            add(TraceAction.ALLOC, address, live.get(address), pools[slot]);
          } else {
            add(TraceAction.FREE_COMPLETED, address, bytes, pools[slot]);
          }
        }
      }
      check();
    }

    private void add(TraceAction action, long address, long bytes, PoolId pool) {
      trace.pool(trace.add(action, address, bytes), pool);
      Map<PoolId, long[]> state = new HashMap<>();
      for (int slot = 0; slot < pools.length; slot++) {
        if (pools[slot] != null && pools[slot].isPrivate()) {
          long[] sums = state.computeIfAbsent(pools[slot], _ -> new long[2]);
          sums[0] += SEGMENT;
          for (Map.Entry<Long, Long> block : live.entrySet()) {
            sums[1] += block.getKey() / SEGMENT == slot + 1 ? block.getValue() : 0;
          }
        }
      }
      expected.add(state);
    }

    private void check() {
      List<Segment> segments = new ArrayList<>();
      for (int slot = 0; slot < pools.length; slot++) {
        if (pools[slot] != null) {
          segments.add(
              new Segment(
                  SEGMENT * (slot + 1),
                  SEGMENT,
                  0,
                  PoolKind.LARGE,
                  pools[slot],
                  false,
                  0,
                  List.<Block>of()));
        }
      }
      DeviceSnapshot device = new DeviceSnapshot(0, segments, trace.build(), List.of());
      PrivatePools found =
          PrivatePools.of(
              device,
              Lifetimes.of(device),
              () -> SegmentHistory.of(device, SizeRules.of(Optional.empty())));
      for (int event = 0; event < expected.size(); event++) {
        Map<PoolId, long[]> rest = new HashMap<>(expected.get(event));
        for (PrivatePools.Pool pool : found.pools()) {
          long[] sums = new long[2];
          for (Map.Entry<PoolId, long[]> each : Map.copyOf(rest).entrySet()) {
            boolean isOne = pool.name().equals("private pool " + each.getKey());
            if (isOne || pool.name().startsWith("other")) {
              sums[0] += each.getValue()[0];
              sums[1] += each.getValue()[1];
              rest.remove(each.getKey());
            }
          }
          String place = "seed " + seed + " event " + event + " " + pool.name();
          assertThat(pool.reservedAt(event)).as(place).isEqualTo(sums[0]);
          assertThat(pool.activeAt(event)).as(place).isEqualTo(sums[1]);
        }
        assertThat(rest).isEmpty();
      }
    }
  }
}
