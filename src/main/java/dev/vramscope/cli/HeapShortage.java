package dev.vramscope.cli;

import dev.vramscope.model.VisibleText;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The one sentence of a command that needs more Java heap than it has: what is too small, how large
 * it is, and the same command with more. Made in advance, because there may be no heap for it
 * later.
 */
public final class HeapShortage {
  private static final int MAX_CAUSES = 20;
  private static final long MIB = 1L << 20;

  private static final long MOST_RESERVE_BYTES = 2 << 20;

  private final byte[] sentence;

  /** Given back to the heap when the sentence is due: what follows it needs some, too. */
  @SuppressWarnings("UnusedVariable")
  private volatile byte @Nullable [] reserve =
      new byte[(int) Math.min(MOST_RESERVE_BYTES, Runtime.getRuntime().maxMemory() / 8)];

  private HeapShortage(String sentence) {
    // Bytes are written as they are, so the arguments in it are made visible here.
    this.sentence = (VisibleText.line(sentence) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The shortage of the command with these arguments, its name included, or of the service if there
   * are none.
   */
  public static HeapShortage of(List<String> arguments) {
    long mib = Runtime.getRuntime().maxMemory() / MIB;
    return new HeapShortage(
        String.format(
            Locale.ROOT,
            "%s: the Java heap of %,d MiB is too small for this; give it more, for example with:"
                + " java -Xmx%dm -jar vramscope.jar %s",
            arguments.isEmpty() ? ServiceOptions.NAME : arguments.getFirst(),
            mib,
            2 * mib,
            String.join(" ", arguments)));
  }

  /** Writes the sentence. */
  public void report(PrintStream err) {
    reserve = null;
    err.write(sentence, 0, sentence.length);
    err.flush();
  }

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
}
