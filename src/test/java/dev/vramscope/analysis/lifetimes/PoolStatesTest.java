package dev.vramscope.analysis.lifetimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.bfclog.VerboseLogReader;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.pool.ChunkMap;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each state is that of a replay from the beginning. */
class PoolStatesTest {
  private static final long MIB = 1L << 20;

  /** What the states were before copies were kept: the events from the first on. */
  private static List<Segment> fromTheBeginning(Trace trace, int event) {
    ChunkMap pool = new ChunkMap();
    for (int next = 0; next <= event; next++) {
      apply(trace, next, pool);
    }
    return pool.segments();
  }

  private static void apply(Trace trace, int event, ChunkMap pool) {
    switch (trace.action(event)) {
      case SEGMENT_ALLOC -> pool.acquire(trace.address(event), trace.bytes(event));
      case SEGMENT_FREE -> pool.release(trace.address(event));
      case ALLOC -> pool.allocate(trace.address(event), trace.bytes(event), trace.stack(event));
      case FREE_REQUESTED, FREE_COMPLETED -> pool.free(trace.address(event));
      default -> {}
    }
  }

  private static DeviceSnapshot real(String log) throws IOException, FormatException {
    try (InputStream in = Files.newInputStream(TestData.file("xla/" + log))) {
      return VerboseLogReader.read(in, ReadLimits.defaults()).devices().getFirst();
    }
  }

  /** A run of a pool: each event allocates a free slot of 1 MiB in one region, or frees a used. */
  private static DeviceSnapshot run(int events, int slots, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Trace.Builder trace = new Trace.Builder();
    ChunkMap pool = new ChunkMap();
    long base = 0x7f0000000000L;
    trace.add(TraceAction.SEGMENT_ALLOC, base, slots * MIB);
    pool.acquire(base, slots * MIB);
    boolean[] used = new boolean[slots];
    for (int i = 1; i < events; i++) {
      int slot = random.nextInt(slots);
      long address = base + slot * MIB;
      if (used[slot]) {
        trace.add(TraceAction.FREE_COMPLETED, address, MIB);
        pool.free(address);
      } else {
        trace.add(TraceAction.ALLOC, address, MIB);
        pool.allocate(address, MIB, StackTable.NONE);
      }
      used[slot] = !used[slot];
    }
    return new DeviceSnapshot(
        0,
        pool.segments(),
        trace.build(),
        List.of(),
        new AllocatorFacts(
            AllocatorFamily.BFC,
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.of(slots * MIB),
            /* isSimulated= */ false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"bfc_truth_a/tr_a.log", "bfc_truth_b/tr_b.log", "tf_vlog_trace_frag/tf_vfrag.log"})
  void statesOfRealRuns(String log) throws IOException, FormatException {
    DeviceSnapshot device = real(log);
    PoolStates states = PoolStates.of(device);
    assertThat(states.at(Lifetimes.BEFORE_RECORDING).orElseThrow().segments()).isEmpty();
    for (int event = 0; event < device.trace().size(); event++) {
      assertThat(states.at(event).orElseThrow().segments())
          .as("event %d", event)
          .isEqualTo(fromTheBeginning(device.trace(), event));
    }
  }

  /** Around the events before which copies are kept, and anywhere. */
  @ParameterizedTest
  @ValueSource(ints = {4, 300, 20_000})
  void statesOfLongRuns(int slots) {
    DeviceSnapshot device = run(60_000, slots, slots);
    PoolStates states = PoolStates.of(device);
    List<Integer> events = new ArrayList<>(List.of(0, 1, 59_999));
    for (int copy = 2_048; copy < 60_000; copy += 2_048 * 5) {
      events.addAll(List.of(copy - 1, copy, copy + 1));
    }
    SplittableRandom random = new SplittableRandom(1);
    random.ints(10, 0, 60_000).forEach(events::add);
    for (int event : events) {
      assertThat(states.at(event).orElseThrow().segments())
          .as("event %d", event)
          .isEqualTo(fromTheBeginning(device.trace(), event));
    }
  }

  @Test
  void aRunThatDoesNotLeadToTheFinalStateHasNoStates() {
    DeviceSnapshot device = run(5_000, 100, 7);
    DeviceSnapshot other =
        new DeviceSnapshot(0, List.of(), device.trace(), List.of(), device.facts());
    assertThat(PoolStates.of(other).at(10)).isEmpty();
    assertThat(PoolStates.of(device).at(10)).isPresent();
  }

  /** {@code -Dvramscope.measure=true} prints the medians of a run of a million events. */
  @Test
  void aStateOfAMillionEventsTakesThoseSinceACopy() {
    int count = Boolean.getBoolean("vramscope.measure") ? 1_000_000 : 100_000;
    DeviceSnapshot device = run(count, 4_096, 3);
    Lifetimes lifetimes = Lifetimes.of(device);
    SplittableRandom random = new SplittableRandom(5);
    int[] events = random.ints(21, 0, count).toArray();
    long first = System.nanoTime();
    AllocatorState.at(device, lifetimes, SizeRules.DEFAULT, 0);
    first = System.nanoTime() - first;
    long[] kept = new long[events.length];
    long[] replayed = new long[events.length];
    for (int i = 0; i < events.length; i++) {
      long start = System.nanoTime();
      AllocatorState state = AllocatorState.at(device, lifetimes, SizeRules.DEFAULT, events[i]);
      kept[i] = System.nanoTime() - start;
      start = System.nanoTime();
      // The old way applied all events for each state, to verify the final one.
      fromTheBeginning(device.trace(), count - 1);
      replayed[i] = System.nanoTime() - start;
      if (i % 7 == 0) {
        assertThat(state.segments()).isEqualTo(fromTheBeginning(device.trace(), events[i]));
      }
    }
    Arrays.sort(kept);
    Arrays.sort(replayed);
    if (count == 1_000_000) {
      System.out.printf(
          "first state %d ms, then median %d ms; from the beginning median %d ms%n",
          first / 1_000_000, kept[10] / 1_000_000, replayed[10] / 1_000_000);
    }
    assertThat(kept[10]).isLessThan(replayed[10]);
  }
}
