package dev.vramscope.intake;

import dev.vramscope.format.FormatException.Reason;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Passes a zip archive through and finds its last end record, so that data after the archive and a
 * missing directory are detected: {@link java.util.zip.ZipInputStream} reads neither.
 *
 * <pre>
 *   files │ directory │ end record: "PK\5\6" … directory's size u32 (12), its offset u32 (16),
 *                                   comment's length u16 (20), comment │ end
 * </pre>
 */
final class ZipEnd extends FilterInputStream {
  private static final int SIGNATURE = 0x504B0506;
  private static final int RECORD_BYTES = 22;
  // In a large archive, a second record and its locator precede the end record.
  private static final int ZIP64_RECORD_BYTES = 76;
  private static final long IN_ZIP64_RECORD = 0xFFFF_FFFFL;
  private static final long NONE = -1;

  private final byte[] record = new byte[RECORD_BYTES];
  private long position;
  private long recordStart = NONE;
  private int lastFour;

  ZipEnd(InputStream archive) {
    super(archive);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = super.read(bytes, offset, length);
    for (int i = offset; i < offset + count; i++) {
      lastFour = lastFour << 8 | (bytes[i] & 0xFF);
      if (lastFour == SIGNATURE) {
        recordStart = position - 3;
      }
      long inRecord = position - recordStart;
      if (recordStart != NONE && inRecord < RECORD_BYTES) {
        record[(int) inRecord] = bytes[i];
      }
      position++;
    }
    return count;
  }

  /** Reads to the end, and checks that the archive ends there. */
  void requireEnd() throws IOException {
    transferTo(OutputStream.nullOutputStream());
    if (recordStart == NONE || position < recordStart + RECORD_BYTES + commentBytes()) {
      throw new RejectedContentException(
          Reason.TRUNCATED,
          "the zip archive ends before its directory is complete",
          "byte " + position + " of the compressed file",
          "Check whether the disk was full when it was written, then upload it again.");
    }
    long directoryBytes = number(12, 4);
    long directoryStart = number(16, 4);
    long between = recordStart - directoryStart - directoryBytes;
    boolean isPlaced =
        between == 0
            || between == ZIP64_RECORD_BYTES
            || directoryStart == IN_ZIP64_RECORD
            || directoryBytes == IN_ZIP64_RECORD;
    long end = recordStart + RECORD_BYTES + commentBytes();
    if (!isPlaced || position > end) {
      throw new RejectedContentException(
          Reason.MALFORMED,
          "the zip archive is followed by other data",
          "byte " + (isPlaced ? end : recordStart - directoryBytes) + " of the compressed file",
          "It may be damaged: compress the snapshot again, or upload it uncompressed.");
    }
  }

  private long commentBytes() {
    return number(20, 2);
  }

  private long number(int offset, int count) {
    long number = 0;
    for (int i = count - 1; i >= 0; i--) {
      number = number << 8 | (record[offset + i] & 0xFF);
    }
    return number;
  }
}
