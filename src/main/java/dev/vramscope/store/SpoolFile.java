package dev.vramscope.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of the {@link Spool}, deleted when it is closed. */
public final class SpoolFile implements AutoCloseable {
  private final Path path;

  SpoolFile(Path path) {
    this.path = path;
  }

  public Path path() {
    return path;
  }

  /** Opens the file for writing; write errors are {@link StoreUnavailableException}s. */
  public OutputStream output() {
    try {
      return new SpoolOutput(Files.newOutputStream(path));
    } catch (IOException failed) {
      throw StoreErrors.of(failed, path);
    }
  }

  /** Opens the file for reading. */
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
      throw StoreErrors.of(failed, path);
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
      try {
        file.write(bytes, offset, length);
      } catch (IOException failed) {
        throw StoreErrors.of(failed, path);
      }
    }

    @Override
    public void close() {
      try {
        file.close();
      } catch (IOException failed) {
        throw StoreErrors.of(failed, path);
      }
    }
  }
}
