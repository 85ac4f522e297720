package dev.vramscope.cli.replay;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Opens files that may be compressed, whatever their name says. */
final class TraceInput {
  private static final int BUFFER_BYTES = 1 << 16;

  private TraceInput() {}

  static InputStream open(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    in.mark(2);
    boolean compressed = in.read() == 0x1f && in.read() == 0x8b;
    in.reset();
    return compressed ? new GZIPInputStream(in, BUFFER_BYTES) : in;
  }
}
