package dev.vramscope.explain.reading;

import dev.vramscope.explain.findings.LogMessages;

/**
 * Finds the messages of failed requests in a text, in time proportional to its length. Besides the
 * text, it holds no more than the findings and one message of each form.
 */
public final class LogReader {
  private LogReader() {}

  /** The different messages, and how often each occurs. */
  public static LogMessages read(String text) {
    MessageTable findings = new MessageTable();
    for (LogStream stream : LogText.streams(text)) {
      new StreamReader(stream, findings).read();
    }
    ProfilerTimeline.read(text).ifPresent(finding -> findings.add(finding, findings.nextOrder()));
    SmiFindings.read(text).forEach(finding -> findings.add(finding, findings.nextOrder()));
    return findings.findings();
  }
}
