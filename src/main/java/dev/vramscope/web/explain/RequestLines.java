package dev.vramscope.web.explain;

import dev.vramscope.format.BoundedLines;
import dev.vramscope.format.bfclog.VerboseLogReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;

/**
 * A log from the first request of a BFC allocator on, as bytes: that part is recognized as a
 * verbose log, however much of other programs stands before it.
 */
final class RequestLines extends InputStream {
  /** Longer lines are cut: none of an allocator is that long. */
  private static final int MAX_LINE = 1 << 16;

  private final Reader log;
  private final BoundedLines lines;
  private byte[] line = {};
  private int next;
  private boolean hasBegun;
  private boolean hasEnded;

  RequestLines(Reader log) {
    this.log = log;
    lines = new BoundedLines(log, MAX_LINE);
  }

  @Override
  public int read() throws IOException {
    return fill() ? line[next++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, line.length - next);
    System.arraycopy(line, next, bytes, offset, count);
    next += count;
    return count;
  }

  /** Whether there is another byte. */
  private boolean fill() throws IOException {
    while (next >= line.length && !hasEnded) {
      String text = lines.next();
      hasEnded = text == null;
      if (text != null) {
        hasBegun = hasBegun || VerboseLogReader.MARK.matcher(text).find();
        line = hasBegun ? (text + "\n").getBytes(StandardCharsets.UTF_8) : line;
        next = hasBegun ? 0 : next;
      }
    }
    return next < line.length;
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
