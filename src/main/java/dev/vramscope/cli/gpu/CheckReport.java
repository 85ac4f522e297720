package dev.vramscope.cli.gpu;

import dev.vramscope.model.JsonEscapes;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Collects the outcomes of the checks and prints each one when it is added. */
final class CheckReport {
  private record Entry(
      String check, String verdict, String text, double seconds, Map<String, ?> figures) {}

  private final Instant begin;
  private final List<Entry> entries = new ArrayList<>();
  private final PrintStream out;

  CheckReport(Instant begin, PrintStream out) {
    this.begin = begin;
    this.out = out;
  }

  void add(String check, CheckOutcome outcome, double seconds) {
    String verdict = outcome.verdict().name().toLowerCase(Locale.ROOT);
    entries.add(new Entry(check, verdict, outcome.text(), seconds, outcome.figures()));
    out.printf(Locale.ROOT, "%-8s %s (%.1f s): %s%n", verdict, check, seconds, outcome.text());
    outcome.figures().forEach((name, value) -> out.println("           " + name + " = " + value));
    out.flush();
  }

  boolean hasFailures() {
    return entries.stream().anyMatch(entry -> entry.verdict().equals("failed"));
  }

  String json() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("begin", begin.toString());
    report.put("failed", hasFailures());
    report.put("checks", entries);
    return JsonMapper.builder(JsonEscapes.factory())
        .enable(SerializationFeature.INDENT_OUTPUT)
        .build()
        .writeValueAsString(report);
  }
}
