package dev.vramscope.store.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** File operations that are on the disk, and not only in its cache, when they return. */
public final class SyncedFiles {
  /** Ending of the name of a file that is being written. */
  public static final String TEMPORARY = ".tmp";

  private static final boolean FOLDERS_CAN_BE_SYNCED =
      Path.of("").getFileSystem().supportedFileAttributeViews().contains("posix");

  private SyncedFiles() {}

  /** Forces the content of a file to disk. */
  static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Forces the names in a folder to disk. */
  static void forceFolder(Path folder) throws IOException {
    if (FOLDERS_CAN_BE_SYNCED) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /** Renames within a file system, replacing the target. */
  public static void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Writes a new file. */
  static void write(Path file, byte[] content) throws IOException {
    Files.write(file, content);
    force(file);
  }

  /**
   * Replaces the content of a file atomically: a reader, or a start after a crash, finds the old
   * bytes or the new ones. The caller forces the folder.
   */
  static void replace(Path file, byte[] content) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY);
    try {
      write(temporary, content);
      rename(temporary, file);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
