package dev.vramscope.intake;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.store.files.Sha256;
import dev.vramscope.store.files.SpoolFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Receives a request body: decompresses it, detects its format, and writes it to the spool, hashed
 * and compressed again. Holds two buffers and never the whole file.
 */
final class UploadReceiver {
  private static final int BUFFER = 1 << 17;
  private static final int LEVEL = 1; // Level 3 is half as fast and saves 5% of the size.
  private static final long WORKER_THREAD_BYTES = 1 << 20;

  private final IntakeLimits limits;

  UploadReceiver(IntakeLimits limits) {
    this.limits = limits;
  }

  ReceivedFile receive(
      InputStream body, long declaredBytes, ReceivingUploads.Place place, SpoolFile file)
      throws FormatException, IOException {
    CompressionFormat compression = CompressionFormat.NONE;
    try {
      WireStream wire = new WireStream(body, declaredBytes, limits, place);
      PushbackInputStream pushback = new PushbackInputStream(wire, FormatSniffer.HEAD);
      compression = CompressionFormat.of(pushback);
      ContentStream content = new ContentStream(compression.open(pushback), wire, limits);
      ReceivedFile received = spool(content, declaredBytes, file);
      // Only the end of the body proves that the upload is complete.
      pushback.transferTo(OutputStream.nullOutputStream());
      return received;
    } catch (RejectedContentException rejected) {
      throw rejected.formatException();
    } catch (UploadInterruptedException interrupted) {
      throw interrupted;
    } catch (EOFException endsEarly) {
      throw new FormatException(
          Reason.TRUNCATED,
          "the " + compression.label() + " file is truncated",
          "compressed body",
          "Check whether the disk was full when it was written, then upload it again.");
    } catch (IOException damaged) {
      // A broken connection is an UploadInterruptedException: this is the decompressor's exception.
      throw new FormatException(
          Reason.MALFORMED,
          "the " + compression.label() + " file is damaged: " + damaged.getMessage(),
          "compressed body",
          "Compress it again, or upload it uncompressed.");
    }
  }

  private static ReceivedFile spool(ContentStream content, long declaredBytes, SpoolFile file)
      throws FormatException, IOException {
    byte[] buffer = new byte[BUFFER];
    int length = content.readNBytes(buffer, 0, FormatSniffer.HEAD);
    SniffedFormat format = FormatSniffer.sniff(Arrays.copyOf(buffer, length));
    MessageDigest hash = Sha256.newDigest();
    try (OutputStream out = compressedOutput(file, declaredBytes)) {
      while (length >= 0) {
        hash.update(buffer, 0, length);
        out.write(buffer, 0, length);
        length = content.read(buffer);
      }
    }
    return new ReceivedFile(file, format, Sha256.hex(hash), content.count());
  }

  private static OutputStream compressedOutput(SpoolFile file, long declaredBytes)
      throws IOException {
    var zstd = new ZstdOutputStreamNoFinalizer(file.output(), LEVEL);
    zstd.setChecksum(true);
    if (declaredBytes < 0 || declaredBytes > WORKER_THREAD_BYTES) {
      zstd.setWorkers(1); // Compresses while the next bytes arrive.
    }
    return zstd;
  }
}
