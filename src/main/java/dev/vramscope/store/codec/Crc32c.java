package dev.vramscope.store.codec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** CRC-32C of bytes: the checksum of everything that is stored. */
public final class Crc32c {
  /** Digits of a checksum in hexadecimal. */
  public static final int HEX_DIGITS = 8;

  private static final int BUFFER = 1 << 17;

  private Crc32c() {}

  /** The checksum of several arrays, one after the other. */
  public static long of(byte[]... parts) {
    CRC32C crc = new CRC32C();
    for (byte[] part : parts) {
      crc.update(part);
    }
    return crc.getValue();
  }

  /** The checksum of the bytes from {@code from} to the end. */
  public static long from(int from, byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, bytes.length - from);
    return crc.getValue();
  }

  public static long of(Path file) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        crc.update(buffer, 0, read);
      }
    }
    return crc.getValue();
  }

  public static String hex(long checksum) {
    return HexFormat.of().toHexDigits(checksum, HEX_DIGITS);
  }
}
