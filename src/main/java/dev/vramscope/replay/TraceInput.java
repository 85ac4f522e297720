package dev.vramscope.replay;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Opens files that may be compressed, whatever their name says. A mistake in one names it. */
final class TraceInput {
  private static final int BUFFER_BYTES = 1 << 16;

  private TraceInput() {}

  static InputStream open(Path file) throws IOException {
    requireFile(file);
    InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    in.mark(2);
    boolean compressed = in.read() == 0x1f && in.read() == 0x8b;
    in.reset();
    try {
      return compressed ? new Unpacked(file, new GZIPInputStream(in, BUFFER_BYTES)) : in;
    } catch (IOException e) {
      in.close();
      throw brokenGzip(file, e);
    }
  }

  /** The lines of a small file of text. */
  static List<String> lines(Path file) throws IOException {
    requireFile(file);
    try {
      return Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new InputException(
          file + ": this is not text in UTF-8. A line looks like KEY=VALUE.", e);
    }
  }

  private static void requireFile(Path file) {
    if (Files.isDirectory(file)) {
      throw new InputException(file + ": this is a folder; name a file in it.");
    }
  }

  private static InputException brokenGzip(Path file, IOException e) {
    return new InputException(
        file
            + ": this begins as gzip does, but cannot be unpacked ("
            + e.getMessage()
            + "). Test it with gzip -t, and copy it again.",
        e);
  }

  /** Says which file is broken, if that shows only further on. */
  private static final class Unpacked extends FilterInputStream {
    private final Path file;

    Unpacked(Path file, GZIPInputStream in) {
      super(in);
      this.file = file;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      try {
        return super.read(bytes, from, length);
      } catch (ZipException | java.io.EOFException e) {
        throw brokenGzip(file, e);
      }
    }
  }
}
