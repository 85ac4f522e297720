package dev.vramscope.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs an action when it is closed for the first time. */
final class ReleasingStream extends FilterInputStream {
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Runnable release;

  ReleasingStream(InputStream content, Runnable release) {
    super(content);
    this.release = release;
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      if (closed.compareAndSet(false, true)) {
        release.run();
      }
    }
  }
}
