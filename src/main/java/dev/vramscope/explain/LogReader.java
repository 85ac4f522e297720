package dev.vramscope.explain;

/**
 * Finds the messages of failed requests in a text, in time proportional to its length. Besides the
 * text, it holds no more than the findings and one message of each form.
 */
final class LogReader {
  private LogReader() {}

  /** The different messages, and how often each occurs. */
  static LogFindings read(String text) {
    FindingTable findings = new FindingTable();
    for (LogStream stream : LogText.streams(text)) {
      new StreamReader(stream, findings).read();
    }
    ProfilerTimeline.read(text).ifPresent(finding -> findings.add(finding, findings.nextOrder()));
    SmiFindings.read(text).forEach(finding -> findings.add(finding, findings.nextOrder()));
    return findings.findings();
  }
}
