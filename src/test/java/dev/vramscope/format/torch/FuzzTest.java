package dev.vramscope.format.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.vramscope.TestData;
import dev.vramscope.TestExtent;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.PickleWriter;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Damaged files are accepted or rejected; accepted snapshots satisfy the model's invariants. */
class FuzzTest {
  private static final long SEED = 20261121;
  // Small limits, so that each of thousands of runs can exceed them.
  private static final ReadLimits LIMITS = SmallLimits.of(1_000);

  private static final int FLIPS = TestExtent.of(1_300, 4_000);

  @Test
  void rejectsFileTruncatedAtAnyByte() {
    byte[] intact = PickleWriter.python(SampleSnapshots.snapshot(), 4);
    for (int length = 0; length < intact.length; length++) {
      FormatException rejected = rejection(Arrays.copyOf(intact, length));
      assertThat(rejected).as("truncated at " + length).isNotNull();
      assertThat(rejected.reason()).as("truncated at " + length).isEqualTo(Reason.TRUNCATED);
    }
  }

  @Test
  void rejectsTruncatedRealFile() throws IOException {
    byte[] intact = Files.readAllBytes(TestData.file("hostile/h38_nul_padding_after_stop.pickle"));
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 300; i++) {
      int length = random.nextInt(intact.length - 4);
      assertThat(rejection(Arrays.copyOf(intact, length)).reason()).isEqualTo(Reason.TRUNCATED);
    }
  }

  @Test
  void handlesFlippedBitsInRealFile() throws IOException {
    byte[] real = Files.readAllBytes(TestData.file("hostile/h38_nul_padding_after_stop.pickle"));
    flip(real, FLIPS);
  }

  @Test
  void handlesFlippedBitsInHandWrittenFiles() {
    for (int protocol = 2; protocol <= 5; protocol++) {
      flip(PickleWriter.python(SampleSnapshots.snapshot(), protocol, 2), FLIPS);
    }
    flip(PickleWriter.cpp(SampleSnapshots.snapshot()), FLIPS);
    flip(PickleWriter.python(List.of(SampleSnapshots.segment(SampleSnapshots.BASE)), 4), FLIPS);
  }

  @Test
  void handlesRandomDataOpcodes() {
    // Data opcodes and known strings only: this reaches more code than random bytes.
    List<byte[]> tokens =
        List.of(
            raw('}'),
            raw(']'),
            raw(')'),
            raw('('),
            raw('('),
            raw('s'),
            raw('u'),
            raw('u'),
            raw('a'),
            raw('e'),
            raw('e'),
            raw('t'),
            raw(0x85),
            raw(0x86),
            raw(0x87),
            raw(0x94),
            raw('h', 0),
            raw('h', 1),
            raw('h', 2),
            raw('K', 5),
            raw('J', 0, 0, 0, 1),
            raw('J', -1, -1, -1, -1),
            raw('N'),
            raw(0x88),
            raw('G', 1, 2, 3, 4, 5, 6, 7, 8),
            text("segments"),
            text("blocks"),
            text("device_traces"),
            text("frames"),
            text("address"),
            text("size"),
            text("state"),
            text("inactive"),
            text("total_size"),
            text("action"),
            text("alloc"),
            text("name"),
            text("history"),
            text("segment_pool_id"),
            text("allocator_settings"),
            text("x"));
    SplittableRandom random = new SplittableRandom(SEED);
    for (int run = 0; run < TestExtent.of(20_000, 60_000); run++) {
      long seed = random.nextLong();
      SplittableRandom choice = new SplittableRandom(seed);
      Object[] parts = new Object[2 + choice.nextInt(30)];
      parts[0] = PickleWriter.raw(0x80, 4);
      for (int i = 1; i < parts.length - 1; i++) {
        parts[i] = tokens.get(choice.nextInt(tokens.size()));
      }
      parts[parts.length - 1] = '.';
      readPickle(PickleWriter.raw(parts), "seed " + seed);
    }
  }

  @Test
  void handlesDamagedPagesAndJson() {
    byte[] pickle = PickleWriter.python(SampleSnapshots.snapshot(), 4);
    String page =
        "<html>const local_files = [{\"name\": \"a\", \"base64\": \""
            + Base64.getEncoder().encodeToString(pickle)
            + "\"}]</html>";
    String json =
        "{\"segments\": [], \"device_traces\": [[{\"action\": \"alloc\", \"addr\": 1, \"size\": 2,"
            + " \"frames\": [{\"name\": \"f\", \"filename\": \"g\", \"line\": 1}]}]]}";
    SplittableRandom random = new SplittableRandom(SEED);
    for (int run = 0; run < TestExtent.of(1_000, 3_000); run++) {
      byte[] brokenPage = damaged(page.getBytes(StandardCharsets.UTF_8), random);
      byte[] brokenJson = damaged(json.getBytes(StandardCharsets.UTF_8), random);
      try {
        check(TorchHtmlReader.read(new ByteArrayInputStream(brokenPage), LIMITS));
      } catch (FormatException rejected) {
        assertThat(rejected.what()).isNotBlank();
      } catch (IOException | RuntimeException unexpected) {
        fail("run " + run + " of seed " + SEED, unexpected);
      }
      try {
        check(TorchJsonReader.read(new ByteArrayInputStream(brokenJson), LIMITS));
      } catch (FormatException rejected) {
        assertThat(rejected.what()).isNotBlank();
      } catch (IOException | RuntimeException unexpected) {
        fail("run " + run + " of seed " + SEED, unexpected);
      }
    }
  }

  private static byte[] raw(Object... parts) {
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] instanceof Integer number) {
        parts[i] = number & 0xFF;
      }
    }
    return PickleWriter.raw(parts);
  }

  private static byte[] text(String text) {
    return PickleWriter.raw(0x8C, text.length(), text);
  }

  private static byte[] damaged(byte[] intact, SplittableRandom random) {
    byte[] bytes =
        random.nextInt(4) == 0
            ? Arrays.copyOf(intact, random.nextInt(intact.length))
            : intact.clone();
    for (int i = random.nextInt(3); i >= 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }

  private static void flip(byte[] intact, int runs) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int run = 0; run < runs; run++) {
      byte[] bytes = intact.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      readPickle(bytes, "run " + run + " of seed " + SEED);
    }
  }

  private static void readPickle(byte[] pickle, String run) {
    try {
      check(TorchPickleReader.read(new ByteArrayInputStream(pickle), LIMITS));
    } catch (FormatException rejected) {
      assertThat(rejected.what()).isNotBlank();
      assertThat(rejected.where()).isNotBlank();
    } catch (IOException | RuntimeException | AssertionError | StackOverflowError unexpected) {
      fail(run, unexpected);
    }
  }

  private static FormatException rejection(byte[] pickle) {
    try {
      TorchPickleReader.read(new ByteArrayInputStream(pickle), LIMITS);
      throw new AssertionError("the truncated file was accepted");
    } catch (FormatException rejected) {
      return rejected;
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static void check(Snapshot snapshot) {
    for (DeviceSnapshot device : snapshot.devices()) {
      for (Segment segment : device.segments()) {
        long address = segment.address();
        for (Block block : segment.blocks()) {
          assertThat(block.address()).isEqualTo(address);
          assertThat(block.bytes()).isPositive();
          address = block.end();
        }
        assertThat(address).isEqualTo(segment.end());
      }
      Trace trace = device.trace();
      for (int event = 0; event < trace.size(); event++) {
        assertThat(trace.bytes(event)).isNotNegative();
        assertThat(trace.stack(event)).isBetween(0, snapshot.stacks().nodeCount() - 1);
      }
    }
  }
}
