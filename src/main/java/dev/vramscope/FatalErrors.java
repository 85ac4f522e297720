package dev.vramscope;

import dev.vramscope.cli.HeapShortage;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Ends the process when a full heap has ended one of its threads: without the one that accepts
 * connections, for example, it would run on and never answer again. Whoever started it starts it
 * again; the store is made for that.
 */
final class FatalErrors {
  private static final int EXIT = 1;

  /** Made in advance: there is no heap for it later. */
  private static final byte[] MESSAGE =
      "vramscope: the Java heap is full and a thread has ended; the service ends. Give it more, with -Xmx.\n"
          .getBytes(StandardCharsets.UTF_8);

  private FatalErrors() {}

  static void endProcess(PrintStream err) {
    Thread.UncaughtExceptionHandler others = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          if (!thread.isVirtual() && HeapShortage.isCause(failure)) {
            err.write(MESSAGE, 0, MESSAGE.length);
            err.flush();
            Runtime.getRuntime().halt(EXIT);
          }
          if (others != null) {
            others.uncaughtException(thread, failure);
          } else {
            failure.printStackTrace(err);
          }
        });
  }
}
