package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Snapshot;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file on the disk of this machine, read without the store: a snapshot of any format that can be
 * uploaded, or the text of a log.
 *
 * @param snapshot the snapshot, if it is one
 * @param other the uncompressed content, up to the limit, if it is a text
 * @param notSnapshot why it is none
 */
public record SnapshotFile(
    Optional<Snapshot> snapshot, Optional<byte[]> other, Optional<FormatException> notSnapshot) {
  private static final int BUFFER = 1 << 17;

  /**
   * Reads a file.
   *
   * @param maxOther the most bytes of a file that is no snapshot
   * @throws FormatException if it is a damaged snapshot, or too large
   */
  public static SnapshotFile read(Path file, ReadLimits limits, int maxOther)
      throws IOException, FormatException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
      PushbackInputStream raw = new PushbackInputStream(in, FormatSniffer.HEAD);
      CompressionFormat compression = CompressionFormat.of(raw);
      PushbackInputStream content =
          new PushbackInputStream(
              new BufferedInputStream(compression.open(raw), BUFFER), FormatSniffer.HEAD);
      byte[] head = content.readNBytes(FormatSniffer.HEAD);
      content.unread(head);
      SniffedFormat format;
      try {
        format = FormatSniffer.sniff(head);
      } catch (FormatException none) {
        if (none.reason() != Reason.TEXT) {
          throw none;
        }
        return new SnapshotFile(
            Optional.empty(), Optional.of(content.readNBytes(maxOther)), Optional.of(none));
      }
      if (format == SniffedFormat.BFC_DUMP) {
        byte[] log = content.readNBytes(maxOther);
        try {
          return new SnapshotFile(
              Optional.of(format.read(new ByteArrayInputStream(log), limits)),
              Optional.of(log),
              Optional.empty());
        } catch (FormatException none) {
          if (none.reason() != Reason.TEXT) {
            throw none;
          }
          return new SnapshotFile(Optional.empty(), Optional.of(log), Optional.of(none));
        }
      }
      return new SnapshotFile(
          Optional.of(format.read(content, limits)), Optional.empty(), Optional.empty());
    } catch (RejectedContentException rejected) {
      throw rejected.formatException();
    }
  }
}
