package dev.vramscope.intake;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.vramscope.store.files.Sha256;
import dev.vramscope.store.files.Spool;
import dev.vramscope.store.files.SpoolFile;
import dev.vramscope.store.files.StoreUnavailableException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of a log, copied to the spool while it is read. A full disk ends the copy and not the
 * reading: what the log says is needed all the more then.
 */
final class LogCopy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogCopy.class);
  private static final int LEVEL = 1;

  private final MessageDigest hash = Sha256.newDigest();
  private @Nullable SpoolFile file;
  private @Nullable OutputStream out;
  private @Nullable StoreUnavailableException failure;
  private long bytes;

  LogCopy(Spool spool) throws IOException {
    try {
      SpoolFile created = spool.create();
      file = created;
      out = new ZstdOutputStreamNoFinalizer(created.output(), LEVEL).setChecksum(true);
    } catch (StoreUnavailableException full) {
      failure = full;
    }
  }

  /** The same bytes; each that is read is copied. */
  InputStream copying(InputStream log) {
    return new FilterInputStream(log) {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        if (read > 0) {
          copy(buffer, offset, read);
        }
        return read;
      }
    };
  }

  private void copy(byte[] buffer, int offset, int length) throws IOException {
    bytes += length;
    hash.update(buffer, offset, length);
    OutputStream open = out;
    if (open == null) {
      return;
    }
    try {
      open.write(buffer, offset, length);
    } catch (StoreUnavailableException full) {
      failure = full;
      closeCompressor();
    }
  }

  /** Its memory is not that of the heap. What it has not written yet is lost. */
  private void closeCompressor() {
    OutputStream open = out;
    out = null;
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (IOException | StoreUnavailableException unwritten) {
      LOG.debug("The copy of a log is given up", unwritten);
    }
  }

  /**
   * The copy as a received file, after the log was read to its end. May be called once.
   *
   * @param format what it is read as, if it is stored as a snapshot
   * @throws StoreUnavailableException if there was no room for it
   */
  ReceivedFile received(SniffedFormat format) throws IOException {
    OutputStream open = out;
    SpoolFile copied = file;
    if (open == null || copied == null) {
      throw Objects.requireNonNull(failure);
    }
    out = null;
    open.close();
    return new ReceivedFile(copied, format, Sha256.hex(hash), bytes);
  }

  @Override
  public void close() {
    closeCompressor();
    if (file != null) {
      file.close();
    }
  }
}
