package dev.vramscope.intake;

import dev.vramscope.format.FormatException.Reason;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The decompressed upload. Counts its bytes, and limits its size and its compression ratio. */
final class ContentStream extends FilterInputStream {
  // A small file may expand a thousandfold: that is harmless.
  private static final long RATIO_EXEMPT_BYTES = 1 << 20;

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
      throw new RejectedContentException(
          Reason.TOO_LARGE,
          "the decompressed file is larger than the limit of " + maxBytes + " bytes",
          "byte " + maxBytes,
          "If this is a real snapshot, raise vramscope.limits.max-uncompressed.");
    }
    if (count > RATIO_EXEMPT_BYTES && count / maxRatio > wire.count()) {
      throw new RejectedContentException(
          Reason.TOO_LARGE,
          "the compression ratio is above the limit of "
              + maxRatio
              + ", as in a decompression bomb",
          "byte " + count + ", decompressed from " + wire.count() + " bytes",
          "Upload the file uncompressed, or raise vramscope.limits.max-ratio.");
    }
    return read;
  }
}
