package dev.vramscope.store.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file of the {@link Spool}, deleted when it is closed. */
public final class SpoolFile implements AutoCloseable {
  private final Path path;
  private final DiskSpace space;
  private @Nullable OutputStream output;

  SpoolFile(Path path, DiskSpace space) {
    this.path = path;
    this.space = space;
  }

  public Path path() {
    return path;
  }

  /** Opens the file for writing; write errors are {@link StoreUnavailableException}s. */
  public OutputStream output() {
    try {
      OutputStream opened = new SpoolOutput(Files.newOutputStream(path));
      output = opened;
      return opened;
    } catch (IOException failed) {
      throw space.stop(StoreErrors.notWritten(failed, Spool.WHERE));
    }
  }

  /** Opens the file for reading. */
  public InputStream input() throws IOException {
    return Files.newInputStream(path);
  }

  public long bytes() throws IOException {
    return Files.size(path);
  }

  /**
   * Closes the output too: a compressor that cannot write its last bytes leaves it open, and the
   * disk space of a deleted file is not free while it is open.
   */
  @Override
  public void close() {
    try (OutputStream _ = output) {
      Files.deleteIfExists(path);
    } catch (IOException failed) {
      throw StoreErrors.notWritten(failed, Spool.WHERE);
    }
  }

  /** Distinguishes errors of the disk from I/O errors of the client's stream. */
  private final class SpoolOutput extends OutputStream {
    private final OutputStream file;

    SpoolOutput(OutputStream file) {
      this.file = file;
    }

    @Override
    public void write(int value) {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      space.require(length);
      try {
        file.write(bytes, offset, length);
      } catch (IOException failed) {
        throw space.stop(StoreErrors.notWritten(failed, Spool.WHERE));
      }
    }

    @Override
    public void close() {
      try {
        file.close();
      } catch (IOException failed) {
        throw space.stop(StoreErrors.notWritten(failed, Spool.WHERE));
      }
    }
  }
}
