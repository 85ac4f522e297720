package dev.vramscope.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file that an argument of a command names. */
final class InputFile {
  private InputFile() {}

  /**
   * The path of a file.
   *
   * @throws IOException which names it, if there is none or it is a folder: that of a stream does
   *     not name a folder
   */
  static Path of(String argument) throws IOException {
    Path file = Path.of(argument);
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": this is a folder; name a file in it.");
    }
    if (Files.notExists(file)) {
      throw new NoSuchFileException(argument);
    }
    return file;
  }
}
