package dev.vramscope.store.files;

import java.io.IOException;
import java.io.InputStream;

/**
 * An original file, uncompressed. It can be read to its end even if the snapshot is deleted in the
 * meantime. The caller closes it.
 *
 * @param name the file name given at the upload; display text, never a path
 * @param bytes its length, uncompressed
 * @param stream its content, uncompressed
 */
public record OriginalFile(String name, long bytes, InputStream stream) implements AutoCloseable {
  @Override
  public void close() throws IOException {
    stream.close();
  }
}
