package dev.vramscope.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ClientBlocksTest {
  private static final long MIB = 1L << 20;

  private final HostedAllocator hosted = new HostedOnSim().caching(1024 * MIB);
  private final ClientBlocks blocks = hosted.clientBlocks();

  @Test
  void freesBlockOnce() {
    long block = blocks.allocate(MIB, 0, "client");
    assertEquals(hosted.allocator().address(block), blocks.address(block));
    assertEquals(1, blocks.count());
    blocks.free(block);
    assertEquals(0, blocks.count());
    assertThrows(UnknownBlockException.class, () -> blocks.free(block));
    assertThrows(UnknownBlockException.class, () -> blocks.recordStream(block, 1));
    assertEquals(0, hosted.allocator().inspect().totals().allocatedBytes());
  }

  @Test
  void rejectsBlockOfWorkload() {
    long theirs = hosted.allocator().allocate(MIB, 0);
    assertThrows(UnknownBlockException.class, () -> blocks.free(theirs));
    assertThrows(UnknownBlockException.class, () -> blocks.recordStream(theirs, 1));
    assertEquals(1, hosted.allocator().inspect().totals().allocatedCount());
  }

  @Test
  void blockUsedByAnotherStreamStaysActive() {
    long block = blocks.allocate(MIB, 0, "client");
    blocks.recordStream(block, 3);
    hosted.device().work().spin(3, 10_000_000_000L);
    blocks.free(block);
    assertEquals(MIB, hosted.allocator().inspect().totals().activeBytes());
    assertEquals(0, hosted.allocator().inspect().totals().allocatedBytes());
  }

  @Test
  void limitsBlocksAndStreams() {
    for (int i = 0; i < HostedOnSim.MAX_BLOCKS; i++) {
      blocks.allocate(1, 0, "client");
    }
    HostingRefusedException full =
        assertThrows(HostingRefusedException.class, () -> blocks.allocate(1, 0, "client"));
    assertThat(full.where()).isEqualTo("vramscope.live.max-blocks");
    for (int stream : new int[] {-1, HostedOnSim.MAX_STREAMS, Integer.MAX_VALUE}) {
      assertThat(
              assertThrows(
                      HostingRefusedException.class, () -> blocks.allocate(1, stream, "client"))
                  .where())
          .isEqualTo("stream");
    }
  }

  @Test
  void rejectedRequestDoesNotCount() {
    for (int i = 0; i < 2 * HostedOnSim.MAX_BLOCKS; i++) {
      assertThrows(
          IllegalArgumentException.class, () -> blocks.allocate(Long.MAX_VALUE, 0, "client"));
    }
    blocks.free(blocks.allocate(1, 0, "client"));
    assertEquals(0, blocks.count());
  }
}
