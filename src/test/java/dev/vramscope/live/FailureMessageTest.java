package dev.vramscope.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import org.junit.jupiter.api.Test;

class FailureTextTest {
  private static final long MIB = 1L << 20;

  private final HostedAllocator hosted =
      new HostedOnSim().host(AllocatorKind.CACHING, 100 * MIB, "");

  private String textOf(long bytes) {
    OutOfDeviceMemoryException failure =
        assertThrows(
            OutOfDeviceMemoryException.class,
            () -> hosted.clientBlocks().allocate(bytes, 0, "test"));
    return hosted.incidentOf(failure).orElseThrow().text();
  }

  @Test
  void segmentOfASmallerRequestIsNamedAsSuch() {
    hosted.clientBlocks().allocate(90 * MIB, 0, "weights");
    assertThat(textOf(9 * MIB))
        .startsWith(
            "CUDA out of memory. Tried to allocate 20.00 MiB"
                + " (the segment for a request of 9 MiB). GPU 0");
    assertThat(textOf(80 * MIB)).startsWith("CUDA out of memory. Tried to allocate 80.00 MiB. GPU");
  }
}
