package dev.vramscope.live;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.vramscope.analysis.SnapshotHistory;
import dev.vramscope.analysis.SnapshotResults;
import dev.vramscope.format.export.TorchPickleWriter;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.files.Sha256;
import dev.vramscope.store.files.Spool;
import dev.vramscope.store.files.SpoolFile;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.store.listing.Upload;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import org.springframework.stereotype.Component;

/**
 * Saves snapshots in the store, next to uploads. A live snapshot has no uploaded file; its
 * <em>original file</em> is a pickle as PyTorch would dump it, so that PyTorch's own tools can open
 * the download.
 */
@Component
final class SnapshotArchive implements SnapshotSink {
  private static final int LEVEL = 1; // The same as for uploads.

  private final Spool spool;
  private final SnapshotStore store;

  SnapshotArchive(Spool spool, SnapshotStore store) {
    this.spool = spool;
    this.store = store;
  }

  @Override
  public String store(Snapshot snapshot, String name, Tags tags) {
    try (SpoolFile file = spool.create()) {
      MeasuringStream pickle = write(snapshot, file);
      SnapshotResults results = SnapshotResults.of(SnapshotHistory.of(snapshot));
      Upload upload =
          new Upload(
              name,
              tags,
              Sha256.hex(pickle.hash),
              pickle.bytes,
              file.path(),
              results.peakBytes(),
              results.findingCount());
      return store.save(snapshot, upload).snapshot().id();
    }
  }

  private static MeasuringStream write(Snapshot snapshot, SpoolFile file) {
    try (MeasuringStream pickle = new MeasuringStream(compressed(file))) {
      TorchPickleWriter.write(snapshot, pickle);
      return pickle;
    } catch (IOException impossible) {
      // Disk errors are reported as StoreUnavailableException.
      throw new UncheckedIOException(impossible);
    }
  }

  private static OutputStream compressed(SpoolFile file) throws IOException {
    return new ZstdOutputStreamNoFinalizer(file.output(), LEVEL).setChecksum(true);
  }

  /** Counts and hashes the bytes that are written. */
  private static final class MeasuringStream extends FilterOutputStream {
    private final MessageDigest hash = Sha256.newDigest();
    private long bytes;

    MeasuringStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      out.write(source, offset, length);
      hash.update(source, offset, length);
      bytes += length;
    }
  }
}
