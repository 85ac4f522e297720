package dev.vramscope.intake;

import dev.vramscope.format.FormatException.Reason;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** What came out of the envelope: counted, and limited in size and in how much it was inflated. */
final class ContentStream extends FilterInputStream {
  // A small file may well be inflated a thousandfold; it does no harm.
  private static final long FREE_BYTES = 1 << 20;

  private final WireStream wire;
  private final long maxBytes;
  private final int maxRatio;
  private long count;

  ContentStream(InputStream content, WireStream wire, IntakeLimits limits) {
    super(content);
    this.wire = wire;
    maxBytes = limits.maxUncompressed().toBytes();
    maxRatio = limits.maxRatio();
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
    int read = super.read(bytes, offset, length);
    if (read < 0) {
      return read;
    }
    count += read;
    if (count > maxBytes) {
      throw new RefusedContent(
          Reason.TOO_LARGE,
          "the file has more than " + maxBytes + " bytes when unpacked, which is the limit",
          "byte " + maxBytes,
          "Raise vramscope.limits.max-uncompressed if it is a real snapshot.");
    }
    if (count > FREE_BYTES && count / maxRatio > wire.count()) {
      throw new RefusedContent(
          Reason.TOO_LARGE,
          "one compressed byte becomes more than " + maxRatio + ", as in a compression bomb",
          "byte " + count + " unpacked from " + wire.count(),
          "Upload the file uncompressed, or raise vramscope.limits.max-ratio.");
    }
    return read;
  }
}
