package dev.vramscope.intake;

import dev.vramscope.format.FormatException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The only file inside a zip archive, as a stream. Folders and the resource forks that macOS adds
 * are skipped; a second file is an error. Entry names are checked but never used as paths.
 */
final class ZipContent extends InputStream {
  private static final int MAX_ENTRIES = 100;

  private final ZipEnd archive;
  private final ZipInputStream zip;
  private int entries;
  private boolean ended;

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
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (ended) {
      return -1;
    }
    int read = zip.read(bytes, offset, length);
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
      if (++entries > MAX_ENTRIES) {
        throw rejection(
            "the zip archive has more than " + MAX_ENTRIES + " entries",
            "Upload the snapshot itself.");
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
