package dev.vramscope.allocator.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** An allocator serves a replay as it serves a program, with fewer calls of the device. */
class ReplayClientTest {
  private static final long MIB = 1L << 20;
  private static final int STREAMS = 40;

  private final SimDevice programDevice = SimDevice.ofBytes(200 * MIB);
  private final SimDevice replayDevice = SimDevice.ofBytes(200 * MIB);
  private CachingAllocator program = allocator(programDevice, "", Client.PROGRAM);
  private CachingAllocator replay = allocator(replayDevice, "", Client.REPLAY);

  private static CachingAllocator allocator(SimDevice device, String settings, Client client) {
    return new CachingAllocator(device, CachingOptions.of(settings).withClient(client));
  }

  @Test
  void blocksAreTheSame() {
    for (String settings : new String[] {"", "expandable_segments:True"}) {
      program = allocator(programDevice, settings, Client.PROGRAM);
      replay = allocator(replayDevice, settings, Client.REPLAY);
      run(new SplittableRandom(settings.length()));
      program.emptyCache();
      replay.emptyCache();
    }
    assertThat(replayDevice.streams().queryCount())
        .isLessThan(programDevice.streams().queryCount() / 4);
  }

  private void run(SplittableRandom random) {
    List<long[]> live = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          long bytes = random.nextInt(3) == 0 ? random.nextLong(30 * MIB) : random.nextLong(MIB);
          long own = allocated(program, 1 + bytes);
          long other = allocated(replay, 1 + bytes);
          assertThat(own == 0).isEqualTo(other == 0);
          if (own != 0) {
            assertThat(replay.address(other)).isEqualTo(program.address(own));
            live.add(new long[] {own, other});
          }
        }
        case 2, 3 -> {
          if (!live.isEmpty()) {
            free(live.remove(random.nextInt(live.size())), random);
          }
        }
        default -> {
          int stream = 1 + random.nextInt(STREAMS);
          programDevice.streams().advance(stream, 2);
          replayDevice.streams().advance(stream, 2);
          replay.reportProgress(stream);
        }
      }
      if (i % 100 == 0) {
        assertSameBlocks();
      }
    }
    live.forEach(handles -> free(handles, random));
    assertSameBlocks();
    program.checkInvariants();
    replay.checkInvariants();
  }

  private void free(long[] handles, SplittableRandom random) {
    for (int uses = random.nextInt(3); uses > 0; uses--) {
      int stream = 1 + random.nextInt(STREAMS);
      program.recordStream(handles[0], stream);
      replay.recordStream(handles[1], stream);
    }
    program.free(handles[0]);
    replay.free(handles[1]);
  }

  private static long allocated(CachingAllocator allocator, long bytes) {
    try {
      return allocator.allocate(bytes, 0);
    } catch (OutOfDeviceMemoryException full) {
      return 0;
    }
  }

  private void assertSameBlocks() {
    List<String> expected = texts(program.snapshot(PoolId.DEFAULT));
    assertThat(texts(replay.snapshot(PoolId.DEFAULT))).isEqualTo(expected);
    assertThat(replay.totals()).isEqualTo(program.totals());
  }

  private static List<String> texts(List<SegmentView> segments) {
    return segments.stream()
        .flatMap(segment -> segment.blocks().stream())
        .map(block -> block.address() + " " + block.bytes() + " " + block.state())
        .toList();
  }

  @Test
  void failuresOfAProgramHaveAMessage() {
    assertThatThrownBy(() -> program.allocate(300 * MIB, 0)).hasMessageContaining("300.00 MiB");
    OutOfDeviceMemoryException failed =
        catchThrowableOfType(OutOfDeviceMemoryException.class, () -> replay.allocate(300 * MIB, 0));
    assertThat(failed.requestedBytes()).isEqualTo(300 * MIB);
    assertThat(failed.getStackTrace()).isEmpty();
  }

  /** PyTorch reserves addresses for each of them; a replay of a million would search them all. */
  @Test
  void failuresOfAReplayReserveNoAddresses() {
    replay = allocator(replayDevice, "expandable_segments:True", Client.REPLAY);
    for (int i = 0; i < 10; i++) {
      assertThat(allocated(replay, 300 * MIB)).isZero();
    }
    assertThat(replay.expandableSegments()).isEmpty();
  }
}
