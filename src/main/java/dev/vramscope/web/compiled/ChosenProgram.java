package dev.vramscope.web.compiled;

import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.store.listing.StoredSnapshot;

/**
 * A program of an upload that a plan may use.
 *
 * @param number of the program in the upload
 * @param platform that it was compiled for; may be empty
 */
record ChosenProgram(StoredSnapshot stored, int number, CompiledProgram program, String platform) {
  /** As the URL names it. */
  public String reference() {
    return stored.id() + ":" + number;
  }

  /** Its own name. */
  public String name() {
    return program.name();
  }
}
