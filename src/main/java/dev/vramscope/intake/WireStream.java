package dev.vramscope.intake;

import dev.vramscope.format.FormatException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * The request's body: counted, limited, and with an end that is a whole file's end. All trouble of
 * the connection leaves it as an {@link UploadInterruptedException}, so that no other exception of
 * the streams above can be meant for the client's network.
 */
final class WireStream extends InputStream {
  private final InputStream body;
  private final long declaredBytes;
  private final long maxBytes;
  private final Duration maxDuration;
  private final long startNanos = System.nanoTime();
  private long count;
  private boolean ended;

  WireStream(InputStream body, long declaredBytes, IntakeLimits limits) throws RefusedContent {
    this.body = body;
    this.declaredBytes = declaredBytes;
    maxBytes = limits.maxUpload().toBytes();
    maxDuration = limits.maxDuration();
    if (declaredBytes > maxBytes) {
      throw tooLarge("the upload has " + declaredBytes + " bytes, the limit is " + maxBytes);
    }
  }

  /** Bytes read. */
  long count() {
    return count;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = readBody(bytes, offset, length);
    if (read < 0) {
      if (count < declaredBytes) {
        throw new UploadInterruptedException(count, declaredBytes);
      }
      ended = true;
      return -1;
    }
    count += read;
    if (count > maxBytes) {
      throw tooLarge("the upload has more than " + maxBytes + " bytes, which is the limit");
    }
    if (System.nanoTime() - startNanos > maxDuration.toNanos()) {
      throw new UploadInterruptedException(
          count, declaredBytes, new IOException("it took longer than " + maxDuration));
    }
    return read;
  }

  /** Whether more may come. A gzip file of several parts is read on only if this says so. */
  @Override
  public int available() {
    return ended ? 0 : 1;
  }

  private int readBody(byte[] bytes, int offset, int length) throws UploadInterruptedException {
    try {
      return body.read(bytes, offset, length);
    } catch (IOException gone) {
      throw new UploadInterruptedException(count, declaredBytes, gone);
    }
  }

  private static RefusedContent tooLarge(String what) {
    return new RefusedContent(
        Reason.TOO_LARGE,
        what,
        "request body",
        "Compress the file with zstd or gzip, or raise vramscope.limits.max-upload.");
  }
}
