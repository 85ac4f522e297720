package dev.vramscope.store;

import com.github.luben.zstd.ZstdOutputStream;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.files.Sha256;
import dev.vramscope.store.files.Spool;
import dev.vramscope.store.files.SpoolFile;
import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.store.listing.Upload;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Stores files like the intake does, compressed and hashed. */
public final class TestUploads {
  private final Spool spool;

  public TestUploads(Spool spool) {
    this.spool = spool;
  }

  /** At most {@code maxLength} slightly compressible bytes, determined by the seed. */
  public byte[] bytes(long seed, int maxLength) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = new byte[1 + random.nextInt(maxLength)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt(100);
    }
    return bytes;
  }

  public SaveResult save(SnapshotStore store, Snapshot snapshot, byte[] file, Tags tags)
      throws IOException {
    return save(store, snapshot, file, tags, null);
  }

  SaveResult save(
      SnapshotStore store, Snapshot snapshot, byte[] file, Tags tags, @Nullable Long peakBytes)
      throws IOException {
    try (SpoolFile compressed = spool.create()) {
      try (OutputStream out = new ZstdOutputStream(compressed.output())) {
        out.write(file);
      }
      return store.save(
          snapshot,
          new Upload(
              "file.pickle", tags, sha256(file), file.length, compressed.path(), peakBytes, 0));
    }
  }

  public static String sha256(byte[] bytes) {
    MessageDigest digest = Sha256.newDigest();
    digest.update(bytes);
    return Sha256.hex(digest);
  }

  /** The number of files in the spool of a data folder. */
  public static int spoolFileCount(Path dataDir) throws IOException {
    try (var files = Files.list(dataDir.resolve("spool"))) {
      return files.toList().size();
    }
  }
}
