package dev.vramscope.explain.findings;

import java.util.List;
import java.util.OptionalLong;

/**
 * The messages of a text.
 *
 * @param findings the different ones, in the order of their first lines
 * @param leftOut the messages that are in none of them
 * @param unlisted the different failures among these; empty if that is not known
 */
public record LogMessages(List<LogMessage> findings, LeftOut leftOut, OptionalLong unlisted) {
  public LogMessages {
    findings = List.copyOf(findings);
  }
}
