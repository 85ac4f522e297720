package dev.vramscope.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/** Runs the operations of a trace and writes their records. */
public interface TraceReplay {
  void replay(ReplayConfig config, InputStream trace, OutputStream records) throws IOException;

  /**
   * Replays a file, which may be compressed.
   *
   * @throws InputException naming the file and the line, if the trace is malformed
   */
  default void replay(ReplayConfig config, Path trace, OutputStream records) throws IOException {
    try (InputStream in = TraceInput.open(trace)) {
      replay(config, in, records);
    } catch (TraceLineException e) {
      throw e.in(trace);
    }
  }
}
