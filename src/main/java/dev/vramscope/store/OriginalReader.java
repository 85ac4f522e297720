package dev.vramscope.store;

import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads an original file into the model, to rebuild the database. */
@FunctionalInterface
public interface OriginalReader {
  /**
   * What an original contains.
   *
   * @param peakBytes the highest active bytes of a device in its trace; null without a trace
   */
  record Content(Snapshot snapshot, @Nullable Long peakBytes) {}

  /**
   * Reads a file.
   *
   * @param original the uncompressed file
   * @param bytes its length
   * @throws IOException if it cannot be read, with the reason as message
   */
  Content read(InputStream original, long bytes) throws IOException;
}
