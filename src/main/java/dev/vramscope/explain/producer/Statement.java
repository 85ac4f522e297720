package dev.vramscope.explain.producer;

import dev.vramscope.model.Certainty;

/** A sentence about a failed request, and how sure it is. */
public record Statement(Certainty certainty, String text) {
  /** The certainty in JSON and for people: a text leaves things unknown; it decides nothing. */
  public String certaintyLabel() {
    return certainty == Certainty.UNDECIDED ? "unknown" : certainty.label();
  }
}
