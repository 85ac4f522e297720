package dev.vramscope.intake;

import dev.vramscope.work.HeavyWork;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A file that a task reads: between its parts, the task gives way to others. */
final class PausingStream extends FilterInputStream {
  PausingStream(InputStream file) {
    super(file);
  }

  @Override
  public int read() throws IOException {
    HeavyWork.checkpoint();
    return super.read();
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    HeavyWork.checkpoint();
    return super.read(bytes, offset, length);
  }
}
