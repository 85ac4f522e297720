package dev.vramscope.web.explain;

import dev.vramscope.format.bfclog.VerboseLogReader;
import java.io.BufferedReader;
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

  private final BufferedReader log;
  private byte[] line = {};
  private int next;
  private boolean hasBegun;
  private boolean hasEnded;

  RequestLines(Reader log) {
    this.log = new BufferedReader(log, 1 << 16);
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
      String text = nextLine();
      hasBegun = hasBegun || VerboseLogReader.MARK.matcher(text).find();
      if (hasBegun && !text.isEmpty()) {
        line = text.getBytes(StandardCharsets.UTF_8);
        next = 0;
      }
    }
    return next < line.length;
  }

  private String nextLine() throws IOException {
    StringBuilder text = new StringBuilder();
    int each = log.read();
    while (each >= 0 && each != '\n') {
      if (text.length() < MAX_LINE) {
        text.append((char) each);
      }
      each = log.read();
    }
    if (each < 0) {
      hasEnded = true;
      return text.toString();
    }
    return text.append('\n').toString();
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
