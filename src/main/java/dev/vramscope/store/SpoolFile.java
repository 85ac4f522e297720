package dev.vramscope.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** One file of the {@link Spool}; it lives until it is closed. */
public final class SpoolFile implements AutoCloseable {
  private final Path path;

  SpoolFile(Path path) {
    this.path = path;
  }

  public Path path() {
    return path;
  }

  /** Writes the file; a full disk is a {@link StoreUnavailableException}. */
  public OutputStream output() {
    try {
      return new Guarded(Files.newOutputStream(path));
    } catch (IOException failed) {
      throw StoreFaults.of(failed, path);
    }
  }

  /** Reads the file. */
  public InputStream input() throws IOException {
    return Files.newInputStream(path);
  }

  public long bytes() throws IOException {
    return Files.size(path);
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException failed) {
      throw StoreFaults.of(failed, path);
    }
  }

  /** Tells trouble with our disk from trouble with the client's stream. */
  private final class Guarded extends OutputStream {
    private final OutputStream file;

    Guarded(OutputStream file) {
      this.file = file;
    }

    @Override
    public void write(int value) {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      try {
        file.write(bytes, offset, length);
      } catch (IOException failed) {
        throw StoreFaults.of(failed, path);
      }
    }

    @Override
    public void close() {
      try {
        file.close();
      } catch (IOException failed) {
        throw StoreFaults.of(failed, path);
      }
    }
  }
}
