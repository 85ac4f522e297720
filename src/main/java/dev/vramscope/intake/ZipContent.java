package dev.vramscope.intake;

import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.hlo.CompiledTextReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The only file inside a zip archive, as a stream. Folders and the resource forks that macOS adds
 * are skipped; a second file is an error. Entry names are checked but never used as paths.
 *
 * <p>Texts of a compiled program are several files: those that are read follow each other, each
 * after a line with its name.
 */
final class ZipContent extends InputStream {
  private static final int MAX_ENTRIES = 100;

  /** A folder of {@code --xla_dump_to} has a dozen files for each module. */
  private static final int MAX_DUMP_ENTRIES = 20_000;

  private final ZipEnd archive;
  private final ZipInputStream zip;
  private int entries;
  private boolean ended;
  private boolean isDump;

  /** Bytes that come before the rest of the current file. */
  private InputStream before = InputStream.nullInputStream();

  ZipContent(InputStream compressed) throws IOException {
    archive = new ZipEnd(compressed);
    zip = new ZipInputStream(archive);
    ZipEntry file = nextFile();
    if (file == null) {
      throw rejection("the zip archive contains no file", "Add the snapshot to it.");
    }
    if (file.getName().endsWith("/data.pkl")) {
      throw rejection(
          "this is a torch.save file (a checkpoint of a model or optimizer), not a memory snapshot",
          "Write a snapshot with torch.cuda.memory._dump_snapshot(file) and upload it.");
    }
    if (file.getName().endsWith(".npy")) {
      throw rejection(
          "this is a NumPy archive, not a memory snapshot",
          "Write a snapshot with torch.cuda.memory._dump_snapshot(file) and upload it.");
    }
    byte[] head = zip.readNBytes(FormatSniffer.HEAD);
    isDump = isDumpName(file.getName()) || CompiledProgramFile.isOne(head);
    before =
        isDump && !CompiledTextReader.isUseful(file.getName())
            ? nextText()
            : new ByteArrayInputStream(head);
    if (isDump && CompiledTextReader.isUseful(file.getName())) {
      before = new SequenceInputStream(separator(file), before);
    }
  }

  private static boolean isDumpName(String name) {
    return name.substring(name.lastIndexOf('/') + 1).matches("module_\\d+\\..+");
  }

  private static InputStream separator(ZipEntry file) {
    return new ByteArrayInputStream(CompiledProgramFile.separator(file.getName()));
  }

  /** The line before the next text of a dump; at the end of the archive, nothing. */
  private InputStream nextText() throws IOException {
    ZipEntry next = nextFile();
    while (next != null && !CompiledTextReader.isUseful(next.getName())) {
      next = nextFile();
    }
    ended = next == null;
    return next == null
        ? InputStream.nullInputStream()
        : new SequenceInputStream(new ByteArrayInputStream(new byte[] {'\n'}), separator(next));
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int first = before.read(bytes, offset, length);
    if (first > 0) {
      return first;
    }
    if (ended) {
      return -1;
    }
    int read = zip.read(bytes, offset, length);
    if (read < 0 && isDump) {
      before = nextText();
      if (ended) {
        archive.requireEnd();
      }
      return read(bytes, offset, length);
    }
    if (read < 0) {
      ended = true;
      if (nextFile() != null) {
        throw rejection(
            "the zip archive contains more than one file",
            "Upload the files one at a time, or together in one multipart request.");
      }
      archive.requireEnd();
    }
    return read;
  }

  private @Nullable ZipEntry nextFile() throws IOException {
    for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
      int most = isDump ? MAX_DUMP_ENTRIES : MAX_ENTRIES;
      if (++entries > most) {
        throw rejection(
            "the zip archive has more than " + most + " entries", "Upload the snapshot itself.");
      }
      if (!entry.isDirectory() && !entry.getName().startsWith("__MACOSX/")) {
        return entry;
      }
    }
    return null;
  }

  private RejectedContentException rejection(String what, String next) {
    return new RejectedContentException(Reason.NOT_A_SNAPSHOT, what, "zip entry " + entries, next);
  }
}
