package dev.vramscope.cli;

import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.cli.arguments.Option;
import dev.vramscope.store.Backup;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Copies the stored originals to another folder, also while the service is running. */
public final class BackupCommand implements Command {
  private static final String PRUNE = "--prune";
  private static final String VERIFY = "--verify";
  private static final Description DESCRIPTION =
      new Description(
          "backup",
          "Copies new and changed snapshots of a data folder to a backup folder",
          "BACKUP_FOLDER",
          "The service may be running. Files that the backup has already are not copied again; with"
              + " --verify they are read. The exit code is 1 if a file could not be copied.",
          "backup --data-dir data --verify /mnt/backup",
          List.of(
              DataDirectory.OPTION,
              Option.flag(PRUNE, "Deletes snapshots from the backup that were deleted"),
              Option.flag(VERIFY, "Verifies what the backup has, and copies damaged files again")));

  @Override
  public Description description() {
    return DESCRIPTION;
  }

  @Override
  public int run(Arguments arguments, PrintStream out) throws IOException {
    Set<Backup.Option> options = EnumSet.noneOf(Backup.Option.class);
    if (arguments.has(PRUNE)) {
      options.add(Backup.Option.PRUNE);
    }
    if (arguments.has(VERIFY)) {
      options.add(Backup.Option.VERIFY);
    }
    return DataDirectory.print(
        Backup.backUp(DataDirectory.of(arguments), Path.of(arguments.operand()), options), out);
  }
}
