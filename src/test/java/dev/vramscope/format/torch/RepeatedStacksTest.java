package dev.vramscope.format.torch;

import static dev.vramscope.format.torch.SampleSnapshots.BASE;
import static dev.vramscope.format.torch.SampleSnapshots.dict;
import static dev.vramscope.format.torch.SampleSnapshots.event;
import static dev.vramscope.format.torch.SampleSnapshots.frame;
import static dev.vramscope.format.torch.SampleSnapshots.snapshot;
import static dev.vramscope.format.torch.SampleSnapshots.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.Containers;
import dev.vramscope.format.pickle.PickleMachine;
import dev.vramscope.format.pickle.PickleWriter;
import dev.vramscope.format.pickle.PickleWriter.Tuple;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stack that is recognized by its bytes is the one that its opcodes build. */
class RepeatedStacksTest {
  private static final long SEED = 20261122;
  // Small limits, so that some stacks are cut and some damaged files exceed one.
  private static final ReadLimits LIMITS = SmallLimits.of(12);

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void repeatedStacksHaveTheSameFrames(int protocol) {
    SplittableRandom random = new SplittableRandom(SEED + protocol);
    for (int batch : new int[] {1000, 14, 5}) {
      Comparison compared = new Comparison();
      List<String> contents =
          compared.read(PickleWriter.python(file(random, 400), protocol, batch));
      assertThat(contents).hasSizeGreaterThan(400);
      assertThat(compared.repeated).as("batches of %d", batch).isGreaterThan(40);
    }
  }

  @Test
  void repeatedStacksOfCppPicklerHaveTheSameFrames() {
    Comparison compared = new Comparison();
    List<String> contents = compared.read(PickleWriter.cpp(file(new SplittableRandom(SEED), 400)));
    assertThat(contents).hasSizeGreaterThan(400);
    assertThat(compared.repeated).isGreaterThan(40);
  }

  @Test
  void damagedFilesHaveTheSameResult() {
    SplittableRandom random = new SplittableRandom(SEED);
    Comparison compared = new Comparison();
    for (int protocol = 2; protocol <= 5; protocol++) {
      for (int batch : new int[] {1000, 5}) {
        byte[] intact = PickleWriter.python(file(random, 60), protocol, batch);
        for (int run = 0; run < 500; run++) {
          byte[] damaged = intact.clone();
          for (int i = random.nextInt(1, 4); i > 0; i--) {
            damage(damaged, random);
          }
          compared.read(damaged);
        }
      }
    }
    assertThat(compared.accepted).isGreaterThan(300);
    assertThat(compared.rejected).isGreaterThan(300);
    assertThat(compared.repeated).isGreaterThan(10_000);
  }

  // Replaces a byte, a memo read by another one, the opcode before a mark by a mark, or a range by
  // another range of the file.
  private static void damage(byte[] bytes, SplittableRandom random) {
    int at = random.nextInt(bytes.length / 4, bytes.length - 32);
    switch (random.nextInt(5)) {
      case 0 -> bytes[at] = (byte) random.nextInt(256);
      case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> {
        while (at < bytes.length - 32 && bytes[at] != 'h' && bytes[at] != 'j') {
          at++;
        }
        bytes[at + 1] = (byte) random.nextInt(256);
      }
      case 3 -> {
        while (at < bytes.length - 32 && bytes[at] != '(') {
          at++;
        }
        bytes[at - 1] = '(';
      }
      default -> {
        int from = random.nextInt(bytes.length - 32);
        System.arraycopy(bytes, from, bytes, at, random.nextInt(1, 32));
      }
    }
  }

  // Events with the keys in different orders and some keys missing, and few stacks. Each list of
  // frames is a list of its own with shared frames; some stacks are the beginning of others.
  private static Object file(SplittableRandom random, int events) {
    List<Object> frames = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      frames.add(frame("f" + i, i));
    }
    List<List<Object>> stacks = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      List<Object> stack = new ArrayList<>();
      for (int n = random.nextInt(1, 16); n > 0; n--) {
        stack.add(frames.get(random.nextInt(frames.size())));
      }
      stacks.add(stack);
      stacks.add(stack.subList(0, random.nextInt(1, stack.size() + 1)));
    }
    List<Object> trace = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      List<Object> stack = new ArrayList<>(stacks.get(random.nextInt(stacks.size())));
      Map<String, @Nullable Object> event =
          with(event("alloc", BASE + 512L * i, i, i), "frames", stack);
      trace.add(random.nextInt(4) == 0 ? changed(event, random) : event);
    }
    // The first trace writes all frames, so that the stacks of the second one are memo reads.
    List<Object> first =
        List.of(event("alloc", BASE, 1, 1), with(event("alloc", BASE, 1, 1), "frames", frames));
    return with(snapshot(), "device_traces", List.of(first, trace));
  }

  private static Map<String, @Nullable Object> changed(
      Map<String, @Nullable Object> event, SplittableRandom random) {
    Map<String, @Nullable Object> changed = new LinkedHashMap<>();
    List<String> keys = new ArrayList<>(event.keySet());
    while (!keys.isEmpty()) {
      String key = keys.remove(random.nextInt(keys.size()));
      if (key.equals("action") || random.nextInt(8) > 0) {
        changed.put(key, event.get(key));
      }
    }
    if (random.nextBoolean()) {
      // Lists of other kinds, of memo reads too.
      changed.put("pool_id", random.nextBoolean() ? Tuple.of(0, 1) : List.of(0, 1));
      changed.put("unknown", List.of(dict("frames", event.get("frames")), "action", "addr"));
    }
    return changed;
  }

  /** Reads files with and without repeated batches, and compares. */
  private static final class Comparison {
    private int accepted;
    private int rejected;
    private int repeated;

    List<String> read(byte[] pickle) {
      List<String> opcodes = result(pickle, false);
      assertThat(result(pickle, true)).isEqualTo(opcodes);
      return opcodes;
    }

    private List<String> result(byte[] pickle, boolean repeats) {
      try {
        SnapshotAssembler assembler = new SnapshotAssembler(LIMITS);
        Containers containers = new CountedRepeats(assembler, repeats);
        PickleMachine machine =
            new PickleMachine(
                new ByteArrayInputStream(pickle), LIMITS, assembler.values(), containers);
        long root = machine.run();
        List<String> contents = SnapshotContents.of(assembler.finish(root, "pickle"));
        accepted += repeats ? 1 : 0;
        return contents;
      } catch (FormatException e) {
        rejected += repeats ? 1 : 0;
        return List.of(e.reason() + " " + e.what() + " " + e.where());
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    private final class CountedRepeats implements Containers {
      private final Containers containers;
      private final boolean repeats;

      CountedRepeats(Containers containers, boolean repeats) {
        this.containers = containers;
        this.repeats = repeats;
      }

      @Override
      public long open(
          int kind, long inner, long innerKey, long outer, long outerKey, int pending, int marks)
          throws FormatException {
        return containers.open(kind, inner, innerKey, outer, outerKey, pending, marks);
      }

      @Override
      public void put(long dict, long[] cells, int from, int to) throws FormatException {
        containers.put(dict, cells, from, to);
      }

      @Override
      public void append(long list, long[] cells, int from, int to) throws FormatException {
        containers.append(list, cells, from, to);
      }

      @Override
      public boolean repeat(long list, long earlier) throws FormatException {
        boolean done = repeats && containers.repeat(list, earlier);
        repeated += done ? 1 : 0;
        return done;
      }
    }
  }
}
