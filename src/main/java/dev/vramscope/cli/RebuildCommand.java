package dev.vramscope.cli;

import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.cli.log.VisibleLog;
import dev.vramscope.intake.Rebuild;
import dev.vramscope.store.Damage;
import dev.vramscope.store.OfflineRebuild;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/** Rebuilds the database of a data folder from the original files. */
public final class RebuildCommand implements Command {
  private static final long MIN_FREE_BYTES = 64 << 20;
  private static final Description DESCRIPTION =
      new Description(
          "rebuild",
          "Rebuilds the database of a data folder from the original files",
          "",
          "Stop the service first. The old database is renamed and can be deleted afterwards,"
              + " unless the output names originals that are only in it. The exit code is 1 if"
              + " something that was stored is missing in the new one.",
          "rebuild --data-dir data",
          List.of(DataDirectory.OPTION));

  @Override
  public Description description() {
    return DESCRIPTION;
  }

  @Override
  public int run(Arguments arguments, PrintStream out) throws IOException {
    LoggingSystem.get(RebuildCommand.class.getClassLoader())
        .setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.WARN);
    VisibleLog.install();
    OfflineRebuild.Result result = Rebuild.run(DataDirectory.of(arguments), MIN_FREE_BYTES);
    out.println("Snapshots in the new database: " + result.snapshots());
    result.setAside().ifPresent(name -> out.println("The old database is " + name + "."));
    result.unsaved().forEach(each -> out.println(each.what()));
    result.recovered().forEach(id -> out.println("Name and tags are lost: " + id));
    result
        .damaged()
        .forEach(
            each -> out.println("Damaged: " + each.id() + " " + each.name() + ": " + each.what()));
    if (result.damaged().stream().anyMatch(Damage::needsHeap)) {
      throw new OutOfMemoryError("The originals of some snapshots could not be read.");
    }
    return result.isComplete() ? DONE : FAILED;
  }
}
