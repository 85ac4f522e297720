package dev.vramscope.cli.gpu;

import java.io.IOException;

/** One thing to find out about a card. */
interface Check {
  /** A few words, the same in every report. */
  String name();

  /**
   * Finds out.
   *
   * @throws IOException if the service does not answer
   * @throws CheckFailure if something is not as it must be
   */
  Outcome run() throws IOException, InterruptedException;
}
