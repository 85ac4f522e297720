package dev.vramscope.explain;

import java.util.List;

/**
 * The messages of a text.
 *
 * @param findings the different ones, in the order of their first lines
 * @param leftOut the messages that are in none of them
 */
record LogFindings(List<Finding> findings, LeftOut leftOut) {
  LogFindings {
    findings = List.copyOf(findings);
  }
}
