package dev.vramscope.cli;

import dev.vramscope.replay.GoldenCase;
import dev.vramscope.replay.InputException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Replays every case below a folder and says which differ from the originals, and where first. */
public final class GoldenCommand implements Command {
  @Override
  public int run(List<String> arguments, PrintStream out) throws IOException {
    if (arguments.size() != 1 || !Files.isDirectory(Path.of(arguments.get(0)))) {
      throw new UsageException("Usage: golden DIR, a folder with cases in it or below it");
    }
    Path root = Path.of(arguments.get(0));
    int passed = 0;
    int failed = 0;
    for (GoldenCase golden : GoldenCase.below(root)) {
      Optional<String> difference = firstDifference(golden);
      if (difference.isEmpty()) {
        passed++;
      } else {
        failed++;
        out.println("FAILED " + root.relativize(golden.folder()) + ": " + difference.get());
      }
    }
    out.println(passed + " passed, " + failed + " failed");
    return failed == 0 && passed > 0 ? DONE : FAILED;
  }

  /** A case that cannot be run is a failure of its own, not of all. */
  private static Optional<String> firstDifference(GoldenCase golden) {
    try {
      return golden.firstDifference();
    } catch (InputException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException e) {
      return Optional.of("it ended with " + e);
    }
  }
}
