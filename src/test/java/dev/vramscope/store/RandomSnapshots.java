package dev.vramscope.store;

import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFacts.RecordedTotals;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Annotation;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.FxNode;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.PoolRecord;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Snapshots with every field in use, ordinary and extreme numbers, and awkward texts. */
public final class RandomSnapshots {
  private static final List<String> TEXTS =
      List.of(
          "forward",
          "",
          "at::native::<lambda>",
          "日本語 🙂",
          "nul \0 end",
          "half \ud83d pair",
          "\r\n");

  private final SplittableRandom random;

  public RandomSnapshots(long seed) {
    random = new SplittableRandom(seed);
  }

  /** A snapshot with at most {@code maxEvents} events per device. */
  public Snapshot next(int maxEvents) {
    StackTable.Builder stacks = new StackTable.Builder();
    List<Frame> frames = frames();
    int[] nodes = new int[1 + random.nextInt(60)];
    for (int i = 1; i < nodes.length; i++) {
      nodes[i] = stacks.child(nodes[random.nextInt(i)], stacks.frame(pick(frames)));
    }
    List<DeviceSnapshot> devices = new ArrayList<>();
    int count = random.nextInt(4);
    for (int index = 0; index < count; index++) {
      Trace trace = trace(random.nextInt(maxEvents + 1), nodes);
      devices.add(new DeviceSnapshot(index * 3, segments(nodes), trace, annotations(), facts()));
    }
    Optional<DeviceSnapshot> host = Optional.empty();
    if (random.nextInt(3) == 0) {
      Trace trace = trace(random.nextInt(maxEvents + 1), nodes);
      int ordinal = DeviceSnapshot.PINNED_HOST;
      host = Optional.of(new DeviceSnapshot(ordinal, segments(nodes), trace, List.of()));
    }
    return new Snapshot(
        new Origin("format " + text(), text(), random.nextBoolean() ? time() : Trace.NO_TIME),
        random.nextBoolean()
            ? Optional.of(new AllocatorSettings(Map.of(text(), text(), "b", text())))
            : Optional.empty(),
        devices,
        host,
        stacks.build(),
        findings());
  }

  private AllocatorFacts facts() {
    if (random.nextBoolean()) {
      return AllocatorFacts.NOT_RECORDED;
    }
    AllocatorFamily[] families = AllocatorFamily.values();
    long total = random.nextLong(1L << 50);
    return new AllocatorFacts(
        families[random.nextInt(families.length)],
        OptionalLong.of(total),
        random.nextBoolean() ? OptionalLong.of(random.nextLong(total + 1)) : OptionalLong.empty(),
        random.nextBoolean() ? OptionalLong.of(0) : OptionalLong.empty(),
        random.nextBoolean(),
        Optional.empty(),
        random.nextBoolean() ? Optional.of(totals()) : Optional.empty(),
        random.nextBoolean() ? Optional.of(pool()) : Optional.empty());
  }

  private PoolRecord pool() {
    List<PoolRecord.Requested> requested = new ArrayList<>();
    for (int bin = random.nextInt(21); bin < 21; bin++) {
      requested.add(new PoolRecord.Requested(random.nextLong(1L << 50), random.nextLong(1L << 20)));
    }
    return new PoolRecord(
        requested,
        random.nextBoolean() ? OptionalDouble.of(random.nextDouble()) : OptionalDouble.empty());
  }

  private RecordedTotals totals() {
    List<RecordedTotals.Reserved> reserved = new ArrayList<>();
    for (int event = random.nextInt(3); event < 30; event += random.nextInt(1, 9)) {
      reserved.add(new RecordedTotals.Reserved(event, random.nextLong(1L << 50)));
    }
    return new RecordedTotals(random.nextLong(1L << 50), reserved);
  }

  private List<Frame> frames() {
    List<Frame> frames = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      FxNode fx = random.nextInt(5) == 0 ? new FxNode(text(), text(), text(), text()) : null;
      frames.add(new Frame(text() + i, text(), random.nextInt(-1, 5000), fx));
    }
    return frames;
  }

  private Trace trace(int events, int[] nodes) {
    Trace.Builder trace = new Trace.Builder();
    long[] addresses = random.longs(1 + random.nextInt(200)).map(a -> a & -512).toArray();
    TraceAction[] actions = TraceAction.values();
    for (int event = 0; event < events; event++) {
      TraceAction action = actions[random.nextInt(actions.length)];
      long address = random.nextInt(9) == 0 ? 0 : addresses[random.nextInt(addresses.length)];
      int row = trace.add(action, address, number());
      trace.stack(row, nodes[random.nextInt(nodes.length)]);
      if (random.nextInt(4) > 0) {
        trace.stream(row, random.nextInt(3) == 0 ? random.nextLong() : 0);
        trace.timeMicros(row, time() + row);
      }
      if (random.nextBoolean()) {
        trace.pool(row, new PoolId(random.nextInt(2), random.nextInt(3)));
      }
      if (action == TraceAction.OOM) {
        trace.oom(row, number(), random.nextBoolean() ? OomEvent.UNKNOWN : number());
      }
      if (action == TraceAction.OTHER) {
        trace.otherAction(row, text());
      }
      if (random.nextInt(10) == 0) {
        trace.userMetadata(row, text());
        trace.compileContext(row, text() + random.nextInt(3));
      }
    }
    return trace.build();
  }

  private List<Segment> segments(int[] nodes) {
    List<Segment> segments = new ArrayList<>();
    long address = random.nextLong();
    for (int i = random.nextInt(20); i > 0; i--) {
      List<Block> blocks = new ArrayList<>();
      long next = address;
      for (int b = random.nextInt(1, 30); b > 0; b--) {
        long bytes = 512L * random.nextInt(1, 5000);
        long requested = random.nextInt(3) == 0 ? Block.UNKNOWN : bytes - random.nextInt(512);
        BlockState state = BlockState.values()[random.nextInt(3)];
        blocks.add(new Block(next, bytes, requested, state, nodes[random.nextInt(nodes.length)]));
        next += bytes;
      }
      segments.add(
          new Segment(
              address,
              next - address,
              random.nextInt(2) == 0 ? 0 : random.nextLong(),
              PoolKind.values()[random.nextInt(2)],
              new PoolId(0, random.nextInt(2)),
              random.nextBoolean(),
              nodes[random.nextInt(nodes.length)],
              blocks));
      address = next + random.nextInt(2) * (2L << 20);
    }
    return segments;
  }

  private List<Annotation> annotations() {
    List<Annotation> found = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      found.add(new Annotation(text(), Annotation.Stage.values()[random.nextInt(2)], time()));
    }
    return found;
  }

  private List<Finding> findings() {
    List<Finding> found = new ArrayList<>();
    for (Finding.Severity severity : Finding.Severity.values()) {
      if (random.nextBoolean()) {
        found.add(new Finding(severity, "code", text(), random.nextLong(1, Long.MAX_VALUE)));
      }
    }
    return found;
  }

  private long time() {
    return 1_700_000_000_000_000L + random.nextInt(1_000_000);
  }

  private long number() {
    return random.nextInt(8) == 0 ? random.nextLong() >>> 1 : 512L * random.nextInt(1 << 20);
  }

  private String text() {
    return pick(TEXTS);
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
