package dev.vramscope.report;

import dev.vramscope.report.Report.Part;
import dev.vramscope.report.Report.Section;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes a report for programs: its sections and parts, each part with its type. */
final class JsonWriter {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private JsonWriter() {}

  static String write(Report report) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("title", report.title());
    document.put("facts", report.facts());
    document.put("summary", report.summary());
    document.put("isFailure", report.isFailure());
    document.put("sections", report.sections().stream().map(JsonWriter::section).toList());
    return MAPPER.writeValueAsString(document) + "\n";
  }

  private static Map<String, Object> section(Section section) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("title", section.title());
    List<Map<String, Object>> parts = section.parts().stream().map(JsonWriter::part).toList();
    members.put("parts", parts);
    return members;
  }

  private static Map<String, Object> part(Part part) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", part.getClass().getSimpleName().toLowerCase(Locale.ROOT));
    members.put("content", part);
    return members;
  }
}
