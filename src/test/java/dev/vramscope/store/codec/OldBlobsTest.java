package dev.vramscope.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.store.SnapshotAssert;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Reads blobs of earlier format versions, which are kept as hexadecimal lines. */
class OldBlobsTest {
  @Test
  void readsVersionOne() throws IOException {
    Map<BlobKey, byte[]> blobs = blobs("version-1.txt");
    assertThat(blobs.values()).allSatisfy(blob -> assertEquals(1, blob[0]));
    Snapshot decoded = SnapshotDecoder.decode(blobs::get);
    SnapshotAssert.assertSame(snapshot(), decoded, "version 1");
    assertEquals(AllocatorFacts.NOT_RECORDED, decoded.devices().getFirst().facts());
  }

  /** The snapshot in the files. */
  private static Snapshot snapshot() {
    StackTable.Builder stacks = new StackTable.Builder();
    int stack = stacks.child(StackTable.NONE, stacks.frame(new Frame("main", "a.py", 7, null)));
    Trace.Builder trace = new Trace.Builder();
    int row = trace.add(TraceAction.ALLOC, 4096, 1000);
    trace.stack(row, stack);
    trace.stream(row, 3);
    trace.timeMicros(row, 1_700_000_000_000_000L);
    trace.oom(trace.add(TraceAction.OOM, 0, 1 << 20), 1 << 20, 512);
    Block live = new Block(4096, 1024, 1000, BlockState.ALLOCATED, stack);
    Block free = new Block(5120, 2048, Block.UNKNOWN, BlockState.INACTIVE, StackTable.NONE);
    Segment segment =
        new Segment(
            4096, 3072, 3, PoolKind.SMALL, PoolId.DEFAULT, false, stack, List.of(live, free));
    return new Snapshot(
        new Origin("format", "producer", 12),
        Optional.of(new AllocatorSettings(Map.of("max_split_size", "-1"))),
        List.of(new DeviceSnapshot(2, List.of(segment), trace.build(), List.of())),
        stacks.build(),
        List.of(new Finding(Finding.Severity.WARNING, "code", "message", 5)));
  }

  /** Each line: part, device, chunk, bytes. */
  private static Map<BlobKey, byte[]> blobs(String file) throws IOException {
    try (InputStream in = OldBlobsTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      Map<BlobKey, byte[]> blobs = new HashMap<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        String[] parts = line.split(" ");
        BlobPart part =
            Arrays.stream(BlobPart.values())
                .filter(each -> each.code() == Integer.parseInt(parts[0]))
                .findFirst()
                .orElseThrow();
        BlobKey key = new BlobKey(part, Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
        blobs.put(key, HexFormat.of().parseHex(parts[3]));
      }
      return blobs;
    }
  }
}
