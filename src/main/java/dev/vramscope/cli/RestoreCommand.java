package dev.vramscope.cli;

import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.store.Backup;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Copies a backup to an empty data folder and verifies every file. */
public final class RestoreCommand implements Command {
  private static final Description DESCRIPTION =
      new Description(
          "restore",
          "Copies a backup to an empty data folder and verifies every file",
          "BACKUP_FOLDER",
          "A restore that was interrupted, or had damaged files, is continued by the same command,"
              + " until the service is started on the folder. Its first start builds the database"
              + " from the restored files. The exit code is 1 if a file is damaged.",
          "restore --data-dir new-data /mnt/backup",
          List.of(DataDirectory.OPTION));

  @Override
  public Description description() {
    return DESCRIPTION;
  }

  @Override
  public int run(Arguments arguments, PrintStream out) throws IOException {
    Backup.Result result =
        Backup.restore(Path.of(arguments.operand()), DataDirectory.of(arguments));
    int status = DataDirectory.print(result, out);
    if (!result.isComplete()) {
      out.println(
          "Repair the backup with 'backup --verify' and run the same command again, before the"
              + " service is started on this folder. After that, upload the damaged files"
              + " again.");
    }
    return status;
  }
}
