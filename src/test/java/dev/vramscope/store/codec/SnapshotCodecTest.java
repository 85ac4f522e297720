package dev.vramscope.store.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.model.Snapshot;
import dev.vramscope.store.RandomSnapshots;
import dev.vramscope.store.SnapshotAssert;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SnapshotCodecTest {
  @Test
  void decodesWhatWasEncoded() {
    for (long seed = 1; seed <= 200; seed++) {
      Snapshot snapshot = new RandomSnapshots(seed).next(300);
      Map<BlobKey, byte[]> blobs = encode(snapshot);
      SnapshotAssert.assertSame(snapshot, SnapshotDecoder.decode(blobs::get), "seed " + seed);
    }
  }

  @Test
  void decodesTraceOfSeveralChunks() {
    Snapshot snapshot = longTrace();
    Map<BlobKey, byte[]> blobs = encode(snapshot);
    long chunks = blobs.keySet().stream().filter(key -> key.part() == BlobPart.EVENTS).count();
    assertTrue(chunks > 2, chunks + " chunks of events");
    SnapshotAssert.assertSame(snapshot, SnapshotDecoder.decode(blobs::get), "long trace");
  }

  @Test
  void rejectsDamagedBlobWithItsKey() {
    Map<BlobKey, byte[]> blobs = encode(new RandomSnapshots(7).next(300));
    SplittableRandom random = new SplittableRandom(7);
    for (Map.Entry<BlobKey, byte[]> blob : Map.copyOf(blobs).entrySet()) {
      BlobKey key = blob.getKey();
      byte[] intact = blob.getValue();
      byte[] damaged = intact.clone();
      int index = random.nextInt(intact.length);
      damaged[index] ^= (byte) (1 << random.nextInt(8));
      blobs.put(key, damaged);
      UnreadableBlobException exception =
          assertThrows(
              UnreadableBlobException.class,
              () -> SnapshotDecoder.decode(blobs::get),
              () -> key + " with byte " + index + " changed");
      assertEquals(key, exception.blob());
      assertTrue(String.valueOf(exception.getMessage()).contains(key.toString()));
      blobs.put(key, intact);
    }
  }

  @Test
  void rejectsMissingBlobWithItsKey() {
    Map<BlobKey, byte[]> blobs = encode(new RandomSnapshots(7).next(300));
    for (Map.Entry<BlobKey, byte[]> blob : Map.copyOf(blobs).entrySet()) {
      BlobKey key = blob.getKey();
      blobs.remove(key);
      var exception =
          assertThrows(
              UnreadableBlobException.class,
              () -> SnapshotDecoder.decode(blobs::get),
              key::toString);
      assertEquals(key, exception.blob());
      blobs.put(key, blob.getValue());
    }
  }

  private static Snapshot longTrace() {
    for (long seed = 1; ; seed++) {
      Snapshot snapshot = new RandomSnapshots(seed).next(400_000);
      if (snapshot.devices().stream()
          .anyMatch(device -> device.trace().size() > 3 * EventColumns.ROWS)) {
        return snapshot;
      }
    }
  }

  private static Map<BlobKey, byte[]> encode(Snapshot snapshot) {
    Map<BlobKey, byte[]> blobs = new HashMap<>();
    SnapshotEncoder.encode(snapshot, blobs::put);
    return blobs;
  }
}
