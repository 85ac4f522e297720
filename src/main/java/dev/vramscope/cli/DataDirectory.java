package dev.vramscope.cli;

import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Option;
import dev.vramscope.store.Backup;
import java.io.PrintStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The option for the data folder, and the output about copied files. */
final class DataDirectory {
  private static final String NAME = "--data-dir";
  private static final String DEFAULT = "./data";
  static final Option OPTION =
      Option.valued(NAME, "FOLDER", "The data folder of the service; " + DEFAULT + " by default");

  private DataDirectory() {}

  static Path of(Arguments arguments) {
    @Nullable String folder = arguments.value(NAME);
    return Path.of(folder == null ? DEFAULT : folder);
  }

  /** Prints the result and returns the exit code. */
  static int print(Backup.Result result, PrintStream out) {
    out.println(
        "Copied: "
            + result.copied()
            + ", unchanged: "
            + result.unchanged()
            + ", deleted: "
            + result.deleted()
            + ", damaged: "
            + result.damaged().size());
    result.damaged().forEach(damage -> out.println("Damaged, not copied: " + damage));
    result
        .kept()
        .forEach(file -> out.println("Name and tags kept, other than in the backup: " + file));
    if (result.inDatabase() > 0) {
      out.println(
          "Not in the backup: "
              + result.inDatabase()
              + (result.inDatabase() == 1 ? " snapshot" : " snapshots")
              + " of an older release, still in the database. Start the service on this data"
              + " folder, or let it run: it moves them to files. Then run the backup again.");
    }
    result.setAside().forEach(each -> out.println("Not in the backup: " + each.what()));
    return result.isComplete() ? Command.DONE : Command.FAILED;
  }
}
