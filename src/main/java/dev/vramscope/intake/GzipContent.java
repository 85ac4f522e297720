package dev.vramscope.intake;

import dev.vramscope.format.FormatException.Reason;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * The content of a gzip file (RFC 1952): that of its members, one after the other.
 *
 * <p>{@link java.util.zip.GZIPInputStream} is not used, because it calls itself for each empty
 * member until the stack overflows, and ignores data after the last member. Here that data must be
 * NUL padding; any other data is an error, because it may be a damaged part of the file.
 */
final class GzipContent extends InputStream {
  private static final int ID1 = 0x1F;
  private static final int ID2 = 0x8B;
  private static final int DEFLATE = 8;
  private static final int FLAG_HEADER_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int RESERVED_FLAGS = 0xE0;
  private static final int TIME_XFL_OS_BYTES = 6;

  private final InputStream compressed;
  private final Inflater inflater = new Inflater(/* nowrap= */ true);
  private final CRC32 checksum = new CRC32();
  private final byte[] input = new byte[1 << 16];
  private int position;
  private int limit;
  // The offset in the file of input[0].
  private long passed;
  private boolean inMember;
  private boolean ended;

  GzipContent(InputStream compressed) throws IOException {
    this.compressed = compressed;
    openMember();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    while (!ended && length > 0) {
      if (!inMember) {
        ended = !hasNextMember();
        if (!ended) {
          openMember();
        }
      } else if (inflater.finished()) {
        closeMember();
      } else {
        int count = inflate(bytes, offset, length);
        if (count > 0) {
          checksum.update(bytes, offset, count);
          return count;
        }
      }
    }
    if (ended) {
      inflater.end();
    }
    return length == 0 ? 0 : -1;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    compressed.close();
  }

  private int inflate(byte[] bytes, int offset, int length) throws IOException {
    try {
      if (inflater.needsInput()) {
        if (position == limit && !fill()) {
          throw new EOFException("the gzip file ends inside a member");
        }
        inflater.setInput(input, position, limit - position);
      }
      int count = inflater.inflate(bytes, offset, length);
      if (inflater.needsDictionary()) {
        throw new ZipException("a preset dictionary is required");
      }
      position = limit - inflater.getRemaining();
      return count;
    } catch (DataFormatException damaged) {
      String reason = damaged.getMessage();
      throw new ZipException(reason == null ? "invalid compressed data" : reason);
    }
  }

  private void openMember() throws IOException {
    if (next() != ID1 || next() != ID2) {
      throw otherData(passed + position - 1);
    }
    int method = next();
    int flags = next();
    if (method != DEFLATE || (flags & RESERVED_FLAGS) != 0) {
      throw new ZipException("invalid member header before byte " + (passed + position));
    }
    skip(TIME_XFL_OS_BYTES);
    if ((flags & FLAG_EXTRA) != 0) {
      skip(next() | next() << 8);
    }
    if ((flags & FLAG_NAME) != 0) {
      skipText();
    }
    if ((flags & FLAG_COMMENT) != 0) {
      skipText();
    }
    if ((flags & FLAG_HEADER_CRC) != 0) {
      skip(2);
    }
    inflater.reset();
    checksum.reset();
    inMember = true;
  }

  private void closeMember() throws IOException {
    long expected = nextInt();
    long bytes = nextInt();
    if (expected != checksum.getValue()) {
      throw new ZipException("the checksum before byte " + (passed + position) + " differs");
    }
    if (bytes != (inflater.getBytesWritten() & 0xFFFF_FFFFL)) {
      throw new ZipException("the length before byte " + (passed + position) + " differs");
    }
    inMember = false;
  }

  // Skips padding.
  private boolean hasNextMember() throws IOException {
    boolean isPadded = false;
    while (position < limit || fill()) {
      if (input[position] != 0) {
        if (isPadded) {
          throw otherData(passed + position);
        }
        return true;
      }
      isPadded = true;
      position++;
    }
    return false;
  }

  private static RejectedContentException otherData(long offset) {
    return new RejectedContentException(
        Reason.MALFORMED,
        "the gzip file is followed by other data",
        "byte " + offset + " of the compressed file",
        "It may be damaged: compress it again, or upload it uncompressed.");
  }

  private void skipText() throws IOException {
    while (next() != 0) {
      // The file's name and comment are not used.
    }
  }

  private void skip(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      next();
    }
  }

  private long nextInt() throws IOException {
    return next() | next() << 8 | next() << 16 | (long) next() << 24;
  }

  private int next() throws IOException {
    if (position == limit && !fill()) {
      throw new EOFException("the gzip file ends inside a header or trailer");
    }
    return input[position++] & 0xFF;
  }

  private boolean fill() throws IOException {
    passed += limit;
    position = 0;
    limit = Math.max(0, compressed.read(input, 0, input.length));
    return limit > 0;
  }
}
