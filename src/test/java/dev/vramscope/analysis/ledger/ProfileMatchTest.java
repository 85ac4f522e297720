package dev.vramscope.analysis.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.bfc.BfcState.ChunkState;
import dev.vramscope.allocator.bfc.BfcState.RegionState;
import dev.vramscope.allocator.bfc.RetryClock;
import dev.vramscope.allocator.bfc.log.FailureLogLimit;
import dev.vramscope.analysis.ledger.ProfileMatch.Compared;
import dev.vramscope.device.sim.SimSubAllocator;
import dev.vramscope.device.sim.SubAllocatorSettings;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.xla.BfcDumpReader;
import dev.vramscope.format.xla.DeviceMemoryProfileReader;
import dev.vramscope.format.xla.MemoryDumpReader;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.PoolRecord;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** A real pair of one process of JAX, and pairs that the allocator of this service makes. */
class ProfileMatchTest {
  private static final long MIB = 1L << 20;

  private static DeviceSnapshot profile(String file) throws IOException, FormatException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(TestData.file(file)))) {
      return DeviceMemoryProfileReader.read(in, ReadLimits.defaults()).devices().getFirst();
    }
  }

  private static DeviceSnapshot dumpOfJax() throws IOException, FormatException {
    return MemoryDumpReader.read(
            Files.newInputStream(TestData.file("xla/jax_gpu_oom/memory.dump")),
            ReadLimits.defaults())
        .devices()
        .getFirst();
  }

  private static DeviceSnapshot device(List<Segment> segments, AllocatorFacts facts) {
    return new DeviceSnapshot(0, segments, Trace.EMPTY, List.of(), facts);
  }

  private static Segment segment(List<Block> blocks) {
    long address = blocks.getFirst().address();
    return new Segment(
        address,
        blocks.getLast().end() - address,
        0,
        PoolKind.LARGE,
        PoolId.DEFAULT,
        /* expandable= */ false,
        StackTable.NONE,
        blocks);
  }

  private static DeviceSnapshot profileOf(long... arrays) {
    List<Block> blocks = new ArrayList<>();
    long address = 0;
    for (long bytes : arrays) {
      blocks.add(new Block(address, bytes, bytes, BlockState.ALLOCATED, StackTable.NONE));
      address += bytes;
    }
    return device(List.of(segment(blocks)), AllocatorFacts.ofProfile("cuda:0"));
  }

  /** A dump of the state of our allocator; with what was requested as in a MemoryDump. */
  private static DeviceSnapshot dumpOf(BfcAllocator allocator, boolean hasRequested) {
    List<Segment> segments = new ArrayList<>();
    for (RegionState region : allocator.state().regions()) {
      List<Block> blocks = new ArrayList<>();
      for (ChunkState chunk : region.chunks()) {
        blocks.add(
            new Block(
                chunk.address(),
                chunk.bytes(),
                chunk.isAllocated() && hasRequested ? chunk.requestedBytes() : Block.UNKNOWN,
                chunk.isAllocated() ? BlockState.ALLOCATED : BlockState.INACTIVE,
                StackTable.NONE));
      }
      segments.add(segment(blocks));
    }
    return device(
        segments,
        AllocatorFacts.ofDump(
            OptionalLong.empty(), new PoolRecord(List.of(), OptionalDouble.empty(), "")));
  }

  private static BfcAllocator allocator() {
    return new BfcAllocator(
        BfcOptions.of("GPU_0_bfc", 512 * MIB).withGrowing(false),
        new SimSubAllocator(SubAllocatorSettings.ofCapacity(512 * MIB)),
        _ -> {},
        new FailureLogLimit(),
        RetryClock.virtual());
  }

  private static ProfileMatch fits(DeviceSnapshot dump, DeviceSnapshot profile) {
    Compared compared = ProfileMatch.of(dump, profile);
    assertThat(compared).isInstanceOf(Compared.Fits.class);
    return ((Compared.Fits) compared).match();
  }

  /** The profile was saved before the large arrays; the program names agree with its lines. */
  @Test
  void aRealProfileNamesTheArraysThatWereLiveBefore() throws IOException, FormatException {
    DeviceSnapshot profile = profile("xla/jax_gpu_oom/before.pb.gz");
    ProfileMatch match = fits(dumpOfJax(), profile);
    assertThat(match.arrayCount()).isEqualTo(20);
    assertThat(match.arrayBytes()).isEqualTo(83_886_080);
    assertThat(match.chunkBytes()).isEqualTo(83_886_080);
    assertThat(match.inUseBytes()).isEqualTo(7_600_079_104L);
    assertThat(match.largerCount()).isZero();
    assertThat(match.sizes())
        .singleElement()
        .isEqualTo(new ProfileMatch.Size(4 * MIB, 20, 20))
        .satisfies(size -> assertThat(size.isWhole()).isTrue());
    assertThat(match.certainty()).isEqualTo(Certainty.LIKELY);

    // The log of the same failure has no requested sizes; the answer is the same.
    try (InputStream log = Files.newInputStream(TestData.file("xla/jax_gpu_oom/dump.log"))) {
      String text = new String(log.readAllBytes(), StandardCharsets.UTF_8);
      byte[] cut = BfcDumpReader.cut(text).orElseThrow().getBytes(StandardCharsets.UTF_8);
      DeviceSnapshot logged =
          BfcDumpReader.read(new ByteArrayInputStream(cut), ReadLimits.defaults())
              .devices()
              .getFirst();
      assertThat(fits(logged, profile)).isEqualTo(match);
    }
  }

  @Test
  void profilesOfAnotherProcessHaveNoChunks() throws IOException, FormatException {
    for (String name : List.of("01_after_init", "04_leak_40", "10_host_offload")) {
      DeviceSnapshot other = profile("xla/jax_pprof_train_series/" + name + ".prof");
      assertThat(ProfileMatch.of(dumpOfJax(), other)).as(name).isInstanceOf(Compared.Differs.class);
    }
  }

  @Test
  void oneArrayMoreThanChunksIsSaid() throws IOException, FormatException {
    long[] arrays = new long[21];
    Arrays.fill(arrays, 4 * MIB);
    assertThat(ProfileMatch.of(dumpOfJax(), profileOf(arrays)))
        .isEqualTo(
            new Compared.Differs(
                "1 of the 21 arrays of the profile, the largest of 4 MiB, has no chunk in use of"
                    + " its size"));
  }

  @Test
  void fewArraysAreNoProof() throws IOException, FormatException {
    ProfileMatch match = fits(dumpOfJax(), profileOf(4 * MIB - 3, 4 * MIB));
    assertThat(match.certainty()).isEqualTo(Certainty.UNDECIDED);
    assertThat(match.sizes()).containsExactly(new ProfileMatch.Size(4 * MIB, 2, 20));
  }

  /** Chunks that were not split: the array is smaller than its chunk. */
  @Test
  void anArrayInAChunkThatWasNotSplit() {
    BfcAllocator allocator = allocator();
    long large = allocator.allocate(5 * MIB, 0);
    allocator.allocate(MIB, 0);
    allocator.free(large);
    allocator.allocate(3 * MIB, 0);
    ProfileMatch known = fits(dumpOf(allocator, true), profileOf(3 * MIB, MIB));
    assertThat(known.isWhole()).isTrue();
    assertThat(known.largerCount()).isZero();
    assertThat(known.chunkBytes()).isEqualTo(6 * MIB);
    ProfileMatch unknown = fits(dumpOf(allocator, false), profileOf(3 * MIB, MIB));
    assertThat(unknown.largerCount()).isEqualTo(1);
    assertThat(unknown.chunkBytes()).isEqualTo(6 * MIB);
    assertThat(ProfileMatch.of(dumpOf(allocator, true), profileOf(5 * MIB)))
        .isInstanceOf(Compared.Differs.class);
    // Half of the chunk would have been split off.
    assertThat(ProfileMatch.of(dumpOf(allocator, false), profileOf(5 * MIB / 2)))
        .isInstanceOf(Compared.Differs.class);
  }

  /** What is live always fits, whole or in part; one array that is not live never does. */
  @Test
  void whatIsLiveHasItsChunks() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      BfcAllocator allocator = allocator();
      List<long[]> live = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        long bytes = 1L + random.nextInt(1 << random.nextInt(8, 18));
        live.add(new long[] {allocator.allocate(bytes, 0), bytes});
        if (random.nextInt(3) == 0) {
          allocator.free(live.remove(random.nextInt(live.size()))[0]);
        }
      }
      long[] all = live.stream().mapToLong(each -> each[1]).toArray();
      long[] some = Arrays.stream(all).filter(_ -> random.nextBoolean()).toArray();
      long[] more = Arrays.copyOf(all, all.length + 1);
      more[all.length] = 300_000;
      for (boolean hasRequested : new boolean[] {true, false}) {
        DeviceSnapshot dump = dumpOf(allocator, hasRequested);
        ProfileMatch match = fits(dump, profileOf(all));
        assertThat(match.isWhole()).as("seed %d", seed).isTrue();
        assertThat(match.chunkBytes()).isEqualTo(match.inUseBytes());
        assertThat(match.inUseBytes()).isEqualTo(allocator.statistics().bytesInUse());
        assertThat(fits(dump, profileOf(some)).arrayCount()).isEqualTo(some.length);
        assertThat(ProfileMatch.of(dump, profileOf(more))).isInstanceOf(Compared.Differs.class);
      }
    }
  }
}
