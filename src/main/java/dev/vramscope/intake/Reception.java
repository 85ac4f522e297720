package dev.vramscope.intake;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.store.SpoolFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The first rungs of the ladder: takes a body from the wire, opens its envelope, recognises it, and
 * writes it to the spool, hashed and compressed. Holds two buffers and nothing of the file.
 */
final class Reception {
  private static final int BUFFER = 1 << 17;
  private static final int LEVEL = 1; // Level 3 halves the speed for a twentieth of the size.
  private static final long WORTH_A_THREAD = 1 << 20;

  private final IntakeLimits limits;

  Reception(IntakeLimits limits) {
    this.limits = limits;
  }

  Received receive(InputStream body, long declaredBytes, SpoolFile file)
      throws FormatException, IOException {
    Envelope envelope = Envelope.NONE;
    try {
      WireStream wire = new WireStream(body, declaredBytes, limits);
      PushbackInputStream packed = new PushbackInputStream(wire, FormatSniffer.HEAD);
      envelope = Envelope.of(packed);
      ContentStream content = new ContentStream(envelope.open(packed), wire, limits);
      Received received = spool(content, declaredBytes, file);
      // Behind the compressed file there may be a directory or padding. Only the end of the body
      // proves that nothing was cut off.
      packed.transferTo(OutputStream.nullOutputStream());
      return received;
    } catch (RefusedContent refused) {
      throw refused.refusal();
    } catch (UploadInterruptedException gone) {
      throw gone;
    } catch (EOFException endsEarly) {
      throw new FormatException(
          Reason.TRUNCATED,
          "the " + envelope.word() + " file ends in the middle",
          "compressed body",
          "Look whether the disk was full when it was written, and upload it again.");
    } catch (IOException damaged) {
      // The wire has an exception of its own: this one is the decompressor's.
      throw new FormatException(
          Reason.MALFORMED,
          "the " + envelope.word() + " file is damaged: " + damaged.getMessage(),
          "compressed body",
          "Compress it again, or upload it uncompressed.");
    }
  }

  private static Received spool(ContentStream content, long declaredBytes, SpoolFile file)
      throws FormatException, IOException {
    byte[] buffer = new byte[BUFFER];
    int length = content.readNBytes(buffer, 0, FormatSniffer.HEAD);
    SniffedFormat format = FormatSniffer.sniff(Arrays.copyOf(buffer, length));
    MessageDigest hash = sha256();
    try (OutputStream out = compressed(file, declaredBytes)) {
      while (length >= 0) {
        hash.update(buffer, 0, length);
        out.write(buffer, 0, length);
        length = content.read(buffer);
      }
    }
    return new Received(file, format, HexFormat.of().formatHex(hash.digest()), content.count());
  }

  private static OutputStream compressed(SpoolFile file, long declaredBytes) throws IOException {
    var compressed = new ZstdOutputStreamNoFinalizer(file.output(), LEVEL);
    if (declaredBytes < 0 || declaredBytes > WORTH_A_THREAD) {
      compressed.setWorkers(1); // Compresses while the next bytes arrive.
    }
    return compressed;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
