package dev.vramscope.store;

import java.io.IOException;
import java.io.InputStream;

/**
 * A file as it was uploaded, uncompressed. It can be read to its end even when the snapshot is
 * deleted meanwhile; whoever asked for it closes it.
 *
 * @param name what the uploader called it: text, never a path
 * @param bytes its length
 * @param stream its bytes
 */
public record OriginalFile(String name, long bytes, InputStream stream) implements AutoCloseable {
  @Override
  public void close() throws IOException {
    stream.close();
  }
}
