package dev.vramscope.intake;

import java.io.IOException;
import java.io.Reader;

/** A log that is being received: its text, and a copy of its bytes for the store. */
public final class ReceivedLog implements AutoCloseable {
  private final Reader text;
  private final SniffedFormat format;
  private final LogCopy copy;

  ReceivedLog(Reader text, SniffedFormat format, LogCopy copy) {
    this.text = text;
    this.format = format;
    this.copy = copy;
  }

  /** Its characters, to be read to their end before it is stored. */
  public Reader text() {
    return text;
  }

  /** What it is beside a log, such as a dump of the BFC allocator. */
  SniffedFormat format() {
    return format;
  }

  LogCopy copy() {
    return copy;
  }

  @Override
  public void close() throws IOException {
    try (copy) {
      text.close();
    }
  }
}
