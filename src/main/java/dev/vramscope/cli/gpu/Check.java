package dev.vramscope.cli.gpu;

import java.io.IOException;

/** One check of a GPU. */
interface Check {
  /** A short label, the same in every report. */
  String name();

  /**
   * Runs the check.
   *
   * @throws IOException if the service does not respond
   * @throws CheckFailure if a condition does not hold
   */
  CheckOutcome run() throws IOException, InterruptedException;
}
