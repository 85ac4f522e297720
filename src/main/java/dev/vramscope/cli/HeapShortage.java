package dev.vramscope.cli;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The one sentence of a command that needs more Java heap than it has. */
public final class HeapShortage {
  private static final int MAX_CAUSES = 20;
  private static final long MIB = 1L << 20;

  private HeapShortage() {}

  /** Whether an exception is about the heap: threads and pools wrap those of their tasks. */
  public static boolean isCause(Throwable failure) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof OutOfMemoryError) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /** What is too small, how large it is, and the same command with more; without a line end. */
  public static String sentence(List<String> arguments) {
    long mib = Runtime.getRuntime().maxMemory() / MIB;
    return String.format(
        Locale.ROOT,
        "%s: the Java heap of %,d MiB is too small for this; give it more, for example with: java"
            + " -Xmx%dm -jar vramscope.jar %s",
        arguments.isEmpty() ? ServiceOptions.NAME : arguments.getFirst(),
        mib,
        2 * mib,
        String.join(" ", arguments));
  }
}
