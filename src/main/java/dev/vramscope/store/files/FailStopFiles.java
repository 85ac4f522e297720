package dev.vramscope.store.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * Files of the database that are not written any more after a write has failed, until they are
 * opened again. H2 continues after a failed write: on a full disk a large chunk fails, the small
 * one after it fits, and the file's header then refers to a chunk that is not there. When every
 * write after the first failure fails, the file is in the state of a killed process, from which H2
 * recovers.
 *
 * <p>Public because H2 instantiates it.
 */
public final class FailStopFiles extends FilePathWrapper {
  public static final String SCHEME = "failstop";

  /** Makes the scheme known to H2. */
  public static void register() {
    FilePath.register(new FailStopFiles());
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    return new FailStopChannel(super.open(mode));
  }

  /** The position is that of {@link FileBaseDefault}; the wrapped channel's is not used. */
  static final class FailStopChannel extends FileBaseDefault {
    private final FileChannel file;
    private boolean failed;

    FailStopChannel(FileChannel file) {
      this.file = file;
    }

    /** A change of the file. */
    private interface Change<T> {
      T apply() throws IOException;
    }

    private <T> T change(Change<T> change) throws IOException {
      if (failed) {
        throw new IOException("An earlier write to the database file failed");
      }
      boolean done = false;
      try {
        T result = change.apply();
        done = true;
        return result;
      } finally {
        failed = !done;
      }
    }

    @Override
    public synchronized int write(ByteBuffer source, long position) throws IOException {
      return change(() -> file.write(source, position));
    }

    @Override
    protected void implTruncate(long size) throws IOException {
      change(() -> file.truncate(size));
    }

    @Override
    public synchronized void force(boolean metadata) throws IOException {
      change(
          () -> {
            file.force(metadata);
            return file;
          });
    }

    /** Reads do not wait for each other: they have no position in common. */
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public int read(ByteBuffer target, long position) throws IOException {
      return file.read(target, position);
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      file.close();
    }
  }
}
