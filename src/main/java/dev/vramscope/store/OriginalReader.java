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
   * @param peakBytes the sum of the devices' peaks of the active bytes; null without a trace
   * @param findingCount findings about data that are missing or contradictory in the file
   */
  record Content(Snapshot snapshot, @Nullable Long peakBytes, int findingCount) {}

  /**
   * Reads a file.
   *
   * @param original the uncompressed file
   * @param bytes its length
   * @throws IOException if it cannot be read, with the reason as message
   */
  Content read(InputStream original, long bytes) throws IOException;
}
