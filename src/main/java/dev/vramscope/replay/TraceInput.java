package dev.vramscope.replay;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Opens files, plain or compressed by gzip or zstd; the first bytes decide, not the name. */
final class TraceInput {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final byte[] GZIP_MAGIC = {0x1f, (byte) 0x8b};
  private static final byte[] ZSTD_MAGIC = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

  private TraceInput() {}

  static InputStream open(Path file) throws IOException {
    requireFile(file);
    InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    in.mark(ZSTD_MAGIC.length);
    byte[] head = in.readNBytes(ZSTD_MAGIC.length);
    in.reset();
    if (startsWith(head, GZIP_MAGIC)) {
      try {
        return new Unpacked(file, "gzip", new GZIPInputStream(in, BUFFER_BYTES));
      } catch (IOException e) {
        in.close();
        throw damaged(file, "gzip", e);
      }
    }
    return startsWith(head, ZSTD_MAGIC)
        ? new Unpacked(file, "zstd", new BufferedInputStream(new ZstdInputStream(in), BUFFER_BYTES))
        : in;
  }

  private static boolean startsWith(byte[] head, byte[] magic) {
    return Arrays.equals(Arrays.copyOf(head, magic.length), magic);
  }

  /** The lines of a small text file. */
  static List<String> lines(Path file) throws IOException {
    requireFile(file);
    try {
      return Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new InputException(file + ": this is not UTF-8 text. A line looks like KEY=VALUE.", e);
    }
  }

  private static void requireFile(Path file) {
    if (Files.isDirectory(file)) {
      throw new InputException(file + ": this is a folder; name a file in it.");
    }
  }

  private static InputException damaged(Path file, String format, IOException cause) {
    return new InputException(
        file
            + ": this "
            + format
            + " file is damaged ("
            + cause.getMessage()
            + "). Test it with "
            + format
            + " -t, and copy it again.",
        cause);
  }

  /** Adds the name of the file to decompression errors. */
  private static final class Unpacked extends FilterInputStream {
    private final Path file;
    private final String format;

    Unpacked(Path file, String format, InputStream in) {
      super(in);
      this.file = file;
      this.format = format;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      try {
        return super.read(bytes, from, length);
      } catch (EOFException | ZipException | ZstdIOException e) {
        throw damaged(file, format, e);
      }
    }
  }
}
