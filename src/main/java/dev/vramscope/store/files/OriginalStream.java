package dev.vramscope.store.files;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;

/**
 * An original file, uncompressed while it is read. Its last bytes are returned only after the
 * SHA-256 of all of them was found to be right, so a reader that gets the whole length has the
 * right bytes.
 */
public final class OriginalStream extends InputStream {
  private final InputStream content;
  private final String sha256;
  private final long bytes;
  private final MessageDigest hash = Sha256.newDigest();
  private long count;

  /**
   * @param compressed the file, compressed with zstd
   * @param sha256 of the uncompressed file
   * @param bytes length of the uncompressed file
   */
  public OriginalStream(InputStream compressed, String sha256, long bytes) throws IOException {
    content = new ZstdInputStreamNoFinalizer(compressed);
    this.sha256 = sha256;
    this.bytes = bytes;
  }

  /**
   * Reads an original of unknown length to its end, and closes it.
   *
   * @return its uncompressed length
   * @throws IOException if it cannot be read or has another SHA-256
   */
  public static long verifiedLength(InputStream compressed, String sha256) throws IOException {
    try (DigestInputStream content =
        new DigestInputStream(new ZstdInputStreamNoFinalizer(compressed), Sha256.newDigest())) {
      long bytes = content.transferTo(OutputStream.nullOutputStream());
      requireHash(content.getMessageDigest(), sha256);
      return bytes;
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int read = content.read(buffer, offset, length);
    if (read < 0) {
      if (count < bytes || bytes == 0) {
        verify();
      }
      return -1;
    }
    hash.update(buffer, offset, read);
    count += read;
    if (count >= bytes) {
      // The decompressor verifies its own checksum when it reaches the end.
      if (count > bytes || content.read() >= 0) {
        throw damaged("it has more than " + bytes + " bytes");
      }
      verify();
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    content.close();
  }

  private void verify() throws IOException {
    if (count != bytes) {
      throw damaged("it has " + count + " bytes and not " + bytes);
    }
    requireHash(hash, sha256);
  }

  private static void requireHash(MessageDigest hash, String sha256) throws IOException {
    String actual = Sha256.hex(hash);
    if (!actual.equals(sha256)) {
      throw damaged("its SHA-256 is " + actual);
    }
  }

  private static IOException damaged(String what) {
    return new IOException("The original file is damaged: " + what);
  }
}
