package dev.vramscope.cli;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import java.io.IOException;
import java.nio.file.Path;

/** A file that a command cannot use, and the command that can. */
final class RejectedFile {
  private RejectedFile() {}

  /** The message for a file that is no snapshot, or a damaged one. */
  static IOException of(Path file, FormatException rejected) {
    String first = rejected.reason() == Reason.TEXT ? "Logs are explained by: " + report(file) : "";
    return new IOException(file + ": " + rejected.message(first), rejected);
  }

  /** The command that prints what a file says, as a sentence ends. */
  static String report(Path file) {
    return "report " + file + ".";
  }
}
