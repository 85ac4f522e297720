package dev.vramscope.intake;

import dev.vramscope.format.FormatException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The one file inside a zip, as a stream. Folders and the resource forks that macOS adds are passed
 * over; a second file is refused. Names are looked at and forgotten, never used.
 */
final class ZipContent extends InputStream {
  private static final int MAX_ENTRIES = 100;

  private final ZipInputStream zip;
  private int entries;
  private boolean ended;

  ZipContent(InputStream packed) throws IOException {
    zip = new ZipInputStream(packed);
    ZipEntry file = nextFile();
    if (file == null) {
      throw refused("this zip holds no file", "Put the snapshot into it.");
    }
    if (file.getName().endsWith("/data.pkl")) {
      throw refused(
          "this is a torch.save file (a checkpoint of a model or optimizer), not a memory snapshot",
          "Write a snapshot with torch.cuda.memory._dump_snapshot(file) and upload that.");
    }
    if (file.getName().endsWith(".npy")) {
      throw refused(
          "this is a NumPy archive, not a memory snapshot",
          "Write a snapshot with torch.cuda.memory._dump_snapshot(file) and upload that.");
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
        throw refused(
            "this zip holds more than one file",
            "Upload the files one by one, or several of them in one multipart request.");
      }
    }
    return read;
  }

  private @Nullable ZipEntry nextFile() throws IOException {
    for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
      if (++entries > MAX_ENTRIES) {
        throw refused(
            "this zip has more than " + MAX_ENTRIES + " entries", "Upload the snapshot itself.");
      }
      if (!entry.isDirectory() && !entry.getName().startsWith("__MACOSX/")) {
        return entry;
      }
    }
    return null;
  }

  private RefusedContent refused(String what, String next) {
    return new RefusedContent(Reason.NOT_A_SNAPSHOT, what, "zip entry " + entries, next);
  }
}
