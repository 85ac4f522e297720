package dev.vramscope.cli;

import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.UsageException;
import dev.vramscope.replay.InputException;
import dev.vramscope.report.Report;
import dev.vramscope.report.ReportFormat;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * How a command writes its document: to the terminal, or as HTML into a file.
 *
 * @param target the file; used for HTML only
 */
record ReportOutput(ReportFormat format, Path target) {
  static final String HTML = "--html";

  /**
   * The format that the options choose; text without one.
   *
   * @param choices the options of the command, for the message
   * @throws UsageException if there is more than one
   */
  static ReportOutput of(Arguments arguments, String choices) {
    List<ReportFormat> formats =
        Arrays.stream(ReportFormat.values())
            .filter(format -> arguments.has("--" + format.id()))
            .toList();
    if (formats.size() > 1) {
      throw new UsageException("Choose one of " + choices + ".");
    }
    return new ReportOutput(
        formats.isEmpty() ? ReportFormat.TEXT : formats.getFirst(),
        Path.of(String.valueOf(arguments.value(HTML))));
  }

  private void requireFolder() {
    Path folder = target.toAbsolutePath().getParent();
    if (Files.isDirectory(target)) {
      throw new InputException(target + " is a folder. Name the file to write in it.");
    }
    if (folder != null && !Files.isDirectory(folder)) {
      throw new InputException("there is no folder " + folder + " to write " + target + " into.");
    }
  }

  void write(Report report, PrintStream out) throws IOException {
    String document = format.write(report);
    if (format == ReportFormat.HTML) {
      requireFolder();
      Files.writeString(target, document);
      out.println("Wrote " + target + ".");
    } else {
      out.print(document);
    }
  }
}
