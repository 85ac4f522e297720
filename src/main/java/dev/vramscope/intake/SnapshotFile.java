package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Snapshot;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file on the disk of this machine, read without the store: a snapshot of any format that can be
 * uploaded, or the text of a log, which {@link LogContent} opens.
 *
 * @param snapshot the snapshot, if it is one
 * @param isText whether it is a text; a dump of the BFC allocator is both
 * @param notSnapshot why it is none
 */
public record SnapshotFile(
    Optional<Snapshot> snapshot, boolean isText, Optional<FormatException> notSnapshot) {
  private static final int BUFFER = 1 << 17;

  /**
   * Reads a file.
   *
   * @throws FormatException if it is a damaged snapshot, or too large
   */
  public static SnapshotFile read(Path file, ReadLimits limits)
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
        return new SnapshotFile(Optional.empty(), /* isText= */ true, Optional.of(none));
      }
      if (format == SniffedFormat.COMPILED) {
        throw new FormatException(
            Reason.NOT_A_SNAPSHOT,
            "this is a text of a compiled program, not a snapshot",
            "byte 0",
            "Upload it to the service, which has a page for it.");
      }
      try {
        return new SnapshotFile(
            Optional.of(format.read(content, limits)), format.isLog(), Optional.empty());
      } catch (FormatException part) {
        if (part.reason() != Reason.TEXT) {
          throw part;
        }
        return new SnapshotFile(Optional.empty(), /* isText= */ true, Optional.of(part));
      }
    } catch (RejectedContentException rejected) {
      throw rejected.formatException();
    }
  }
}
