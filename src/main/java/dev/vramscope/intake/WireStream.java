package dev.vramscope.intake;

import dev.vramscope.format.FormatException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * The request body. Counts its bytes, enforces the limits, and checks at the end that the body is
 * complete. Every failure of the connection is an {@link UploadInterruptedException}, so any other
 * {@link IOException} of the streams that read from this one is a fault of the file.
 */
final class WireStream extends InputStream {
  private final InputStream body;
  private final long declaredBytes;
  private final long maxBytes;
  private final Duration maxDuration;
  private final ReceivingUploads.Place place;
  private final long startNanos = System.nanoTime();
  private long count;
  private boolean ended;

  WireStream(
      InputStream body, long declaredBytes, IntakeLimits limits, ReceivingUploads.Place place)
      throws RejectedContentException {
    this.body = body;
    this.declaredBytes = declaredBytes;
    this.place = place;
    maxBytes = limits.maxUpload().toBytes();
    maxDuration = limits.maxDuration();
    if (declaredBytes > maxBytes) {
      throw tooLarge("the upload has " + declaredBytes + " bytes; the limit is " + maxBytes);
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
      throw tooLarge("the upload is larger than the limit of " + maxBytes + " bytes");
    }
    if (System.nanoTime() - startNanos > maxDuration.toNanos()) {
      throw new UploadInterruptedException(
          count, declaredBytes, new IOException("the upload took longer than " + maxDuration));
    }
    return read;
  }

  /** Positive until the end: the zstd decoder fills a buffer only while this is positive. */
  @Override
  public int available() {
    return ended ? 0 : 1;
  }

  private int readBody(byte[] bytes, int offset, int length) throws UploadInterruptedException {
    place.beginRead();
    try {
      return body.read(bytes, offset, length);
    } catch (IOException disconnected) {
      throw new UploadInterruptedException(count, declaredBytes, disconnected);
    } finally {
      place.endRead();
    }
  }

  private static RejectedContentException tooLarge(String what) {
    return new RejectedContentException(
        Reason.TOO_LARGE,
        what,
        "request body",
        "Compress the file with zstd or gzip, or raise vramscope.limits.max-upload.");
  }
}
