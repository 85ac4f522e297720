package dev.vramscope.cli;

import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.cli.arguments.UsageException;
import dev.vramscope.replay.GoldenCase;
import dev.vramscope.replay.InputException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Replays every golden case in a folder and reports the first difference of each. */
public final class GoldenCommand implements Command {
  private static final Description DESCRIPTION =
      new Description(
          "golden",
          "Replays recorded cases of the original allocators and prints the first difference of"
              + " each",
          "DIR",
          "DIR is a folder that contains cases at any depth. The exit code is 1 if one differs, or"
              + " if there is none.",
          "golden src/test/data/golden",
          List.of());

  @Override
  public Description description() {
    return DESCRIPTION;
  }

  @Override
  public int run(Arguments arguments, PrintStream out) throws IOException {
    Path root = Path.of(arguments.operand());
    if (!Files.isDirectory(root)) {
      throw new UsageException(root + " is not a folder.", DESCRIPTION);
    }
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

  /** A case that cannot run counts as a failure and does not stop the others. */
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
