package dev.vramscope.format.xla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.NeedsThirdPartyFiles;
import dev.vramscope.ThirdPartyFiles;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.finding.Finding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** JAX's device memory profiles: made here, real ones, and damaged ones. */
class DeviceMemoryProfileReaderTest {
  private static Snapshot read(byte[] file) throws IOException, FormatException {
    return DeviceMemoryProfileReader.read(new ByteArrayInputStream(file), ReadLimits.defaults());
  }

  private static List<Block> blocks(DeviceSnapshot device) {
    return device.segments().stream().map(Segment::blocks).flatMap(List::stream).toList();
  }

  @Test
  void buffersBecomeBlocksWithTheirStacks() throws IOException, FormatException {
    Snapshot snapshot =
        read(
            new XlaFiles.Profile()
                .add("buffer", "cuda:1", 3, 3000, "apply /jax/_src/api.py:12", "train t.py:7")
                .add("buffer", "cuda:0", 1, 64)
                .add("executable", "", 2, -2, "train t.py:7")
                .add("buffer", "cuda:1", 2, 0, "empty t.py:9")
                .bytes());
    assertThat(snapshot.devices()).extracting(DeviceSnapshot::ordinal).containsExactly(0, 1);
    DeviceSnapshot second = snapshot.devices().get(1);
    assertThat(second.facts().profiledDevice()).hasValue("cuda:1");
    assertThat(blocks(second)).extracting(Block::bytes).containsExactly(1000L, 1000L, 1000L);
    assertThat(snapshot.stacks().framesOf(blocks(second).getFirst().stack()))
        .extracting(frame -> frame.name() + " " + frame.file() + " " + frame.line())
        .containsExactly("apply /jax/_src/api.py 12", "train t.py 7");
    assertThat(snapshot.findings())
        .extracting(Finding::code)
        .containsExactly("profile", "executables");
    assertThat(snapshot.findings().get(1).message()).contains("2 compiled programs with 0 bytes");
  }

  @Test
  void devicesOfEveryBackendGetANumber() throws IOException, FormatException {
    Snapshot snapshot =
        read(
            new XlaFiles.Profile()
                .add("buffer", "TPU_3(process=0,(1,0,0,1))", 1, 8)
                .add("buffer", "TFRT_CPU_0", 1, 8)
                .add("buffer", "gpu:0", 1, 8)
                .add("buffer", "", 1, 8)
                .bytes());
    assertThat(snapshot.devices())
        .extracting(device -> device.ordinal() + " " + device.facts().profiledDevice().orElse(""))
        .containsExactly("0 TFRT_CPU_0", "1 gpu:0", "2 device", "3 TPU_3(process=0,(1,0,0,1))");
  }

  @Test
  void profilesOfOtherThingsAreNamed() {
    assertThatThrownBy(
            () ->
                read(
                    new XlaFiles.Profile().types("samples", "count", "cpu", "nanoseconds").bytes()))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("samples/count, cpu/nanoseconds");
    assertThatThrownBy(
            () -> read(new XlaFiles.Profile().add("executable", "", 1, 10, "f a.py:1").bytes()))
        .hasMessageContaining("no live buffer, only 1 compiled programs");
    assertThatThrownBy(() -> read(new XlaFiles.Profile().add("thread", "", 1, 10).bytes()))
        .hasMessageContaining("of the kind 'thread'");
  }

  @Test
  void numbersThatCannotBeAreRejected() {
    for (long[] numbers : new long[][] {{0, 8}, {-1, 8}, {3, 10}, {1, -8}, {1, Long.MAX_VALUE}}) {
      assertThatThrownBy(
              () ->
                  read(
                      new XlaFiles.Profile()
                          .add("buffer", "gpu:0", numbers[0], numbers[1])
                          .bytes()))
          .as(Arrays.toString(numbers))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("buffers have");
    }
    XlaFiles.Profile huge = new XlaFiles.Profile();
    for (int i = 0; i < 3; i++) {
      huge.add("buffer", "gpu:0", 1, 1L << 50);
    }
    assertThatThrownBy(() -> read(huge.bytes())).hasMessageContaining("more than 1024 TiB");
  }

  @Test
  void hostileProfilesCostNoMoreThanTheirLimits() throws IOException, FormatException {
    String[] deep = new String[3000];
    Arrays.fill(deep, "f a.py:1");
    Snapshot cut = read(new XlaFiles.Profile().add("buffer", "gpu:0", 1, 8, deep).bytes());
    assertThat(cut.findings()).extracting(Finding::code).contains("stacks-cut");
    byte[] empty = new byte[2_000_000];
    for (int i = 0; i < empty.length; i += 2) {
      empty[i] = 0x12; // A sample without anything.
    }
    assertThatThrownBy(
            () ->
                DeviceMemoryProfileReader.read(
                    new ByteArrayInputStream(empty), ReadLimits.forHeap(64 << 20)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("of heap");
  }

  @Test
  void manyBuffersOfOneStackAreOneBlock() throws IOException, FormatException {
    Snapshot snapshot =
        read(new XlaFiles.Profile().add("buffer", "gpu:0", 1L << 40, 1L << 42).bytes());
    assertThat(blocks(snapshot.devices().getFirst())).hasSize(1);
    assertThat(snapshot.findings()).extracting(Finding::code).contains("buffers-aggregated");
  }

  @Test
  @NeedsThirdPartyFiles
  void realProfilesAreRead() throws IOException, FormatException {
    List<Path> files = ThirdPartyFiles.files("snapshots/jax");
    assertThat(files).hasSizeGreaterThanOrEqualTo(12);
    for (Path file : files) {
      Snapshot snapshot = read(uncompressed(file));
      assertThat(snapshot.devices()).as(file.toString()).isNotEmpty();
      assertThat(snapshot.devices())
          .as(file.toString())
          .allSatisfy(device -> assertThat(device.kind()).isEqualTo(RecordingKind.PROFILE));
      assertThat(
              snapshot.devices().stream()
                  .flatMap(device -> blocks(device).stream())
                  .allMatch(block -> block.stack() != 0))
          .as(file + ": every buffer has a stack")
          .isTrue();
    }
  }

  private static byte[] uncompressed(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return in.readAllBytes();
    }
  }

  @Test
  void damagedFilesAreRejectedOrRead() throws IOException {
    List<byte[]> files = new ArrayList<>();
    files.add(
        new XlaFiles.Profile()
            .add("buffer", "cuda:1", 3, 3000, "apply /jax/_src/api.py:12", "train t.py:7")
            .add("executable", "", 2, -2, "train t.py:7")
            .bytes());
    files.add(XlaFiles.memoryDump());
    if (ThirdPartyFiles.exist()) {
      for (Path file : ThirdPartyFiles.files("snapshots/jax")) {
        files.add(uncompressed(file));
      }
    }
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 10_000; round++) {
      byte[] file = files.get(random.nextInt(files.size())).clone();
      for (int change = random.nextInt(1, 8); change > 0; change--) {
        file[random.nextInt(file.length)] = (byte) random.nextInt();
      }
      byte[] cut =
          Arrays.copyOf(file, random.nextInt(4) == 0 ? random.nextInt(file.length) : file.length);
      try {
        assertThat(read(cut).devices()).isNotEmpty();
      } catch (FormatException rejected) {
        assertThat(rejected.next()).as("seed 11, round " + round).isNotEmpty();
      }
      try {
        assertThat(
                MemoryDumpReader.read(new ByteArrayInputStream(cut), ReadLimits.defaults())
                    .devices())
            .isNotEmpty();
      } catch (FormatException rejected) {
        assertThat(rejected.next()).as("seed 11, round " + round).isNotEmpty();
      }
    }
  }
}
