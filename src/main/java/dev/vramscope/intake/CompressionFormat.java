package dev.vramscope.intake;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;

/** The compression of an uploaded file, recognized by its first bytes. */
enum CompressionFormat {
  NONE("") {
    @Override
    InputStream open(InputStream compressed) {
      return compressed;
    }
  },
  GZIP("gzip") {
    @Override
    InputStream open(InputStream compressed) throws IOException {
      return new GzipContent(compressed);
    }
  },
  ZSTD("zstd") {
    @Override
    InputStream open(InputStream compressed) throws IOException {
      return new ZstdInputStreamNoFinalizer(compressed);
    }
  },
  ZIP("zip") {
    @Override
    InputStream open(InputStream compressed) throws IOException {
      return new ZipContent(compressed);
    }
  };

  private static final int MAGIC = 4;

  private final String label;

  CompressionFormat(String label) {
    this.label = label;
  }

  /** The display name. */
  String label() {
    return label;
  }

  abstract InputStream open(InputStream compressed) throws IOException;

  /** The format of a file that begins with these bytes. */
  static CompressionFormat of(byte[] head) {
    if (startsWith(head, 0x1F, 0x8B)) {
      return GZIP;
    }
    // A zstd file may begin with a skippable frame (0x184D2A50 to 5F), as pzstd writes.
    if (startsWith(head, 0x28, 0xB5, 0x2F, 0xFD)
        || (head.length >= MAGIC && (head[0] & 0xF0) == 0x50 && endsWithSkippableMagic(head))) {
      return ZSTD;
    }
    if (startsWith(head, 'P', 'K', 3, 4) || startsWith(head, 'P', 'K', 5, 6)) {
      return ZIP;
    }
    return NONE;
  }

  /** The format of a stream. The bytes that were examined are pushed back. */
  static CompressionFormat of(PushbackInputStream stream) throws IOException {
    byte[] head = stream.readNBytes(MAGIC);
    stream.unread(head);
    return of(head);
  }

  private static boolean endsWithSkippableMagic(byte[] head) {
    return head[1] == 0x2A && head[2] == 0x4D && head[3] == 0x18;
  }

  private static boolean startsWith(byte[] head, int... magic) {
    if (head.length < magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if (head[i] != (byte) magic[i]) {
        return false;
      }
    }
    return true;
  }
}
