package dev.vramscope.web;

import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The names of parameters that no signature has: of handlers that take all as a map, and of those
 * that read the query themselves because their body is a file.
 */
final class MapParameters {
  private static final List<String> METADATA =
      List.of("name", "job", "rank", "host", "step", "label", "tag");

  /** By class and method. */
  private static final Map<String, List<String>> NAMES =
      Map.of(
          "PlanPage.show",
          List.of("id", "name", "value", "device", "others", "at", "find", "settings"),
          "ProgramPlanPage.show",
          List.of("program", "value", "name", "at", "memory", "others", "choose"),
          "EditPage.save",
          METADATA,
          "UploadApi.upload",
          List.of("name", "job", "rank", "host", "step", "label", "tag", "duplicate"),
          "ExplainPage.explain",
          METADATA,
          "ExplainApi.explain",
          List.of(
              "name",
              "job",
              "rank",
              "host",
              "step",
              "label",
              "tag",
              "duplicate",
              "format",
              "store"),
          "EvidenceApi.attach",
          List.of("device", "gpu"));

  private MapParameters() {}

  /**
   * The names that a handler reads, besides those of its signature.
   *
   * @throws IllegalStateException if it takes a map and is not in the table
   */
  static List<String> of(java.lang.reflect.Method handler) {
    String name = handler.getDeclaringClass().getSimpleName() + "." + handler.getName();
    boolean takesMap = Arrays.stream(handler.getParameters()).anyMatch(MapParameters::isMap);
    if (takesMap && !NAMES.containsKey(name)) {
      throw new IllegalStateException("The names of the parameters of " + name + " are not listed");
    }
    return NAMES.getOrDefault(name, List.of());
  }

  /** Whether a parameter has all parameters of the request. */
  static boolean isMap(Parameter parameter) {
    RequestParam named = parameter.getAnnotation(RequestParam.class);
    return named != null
        && named.name().isEmpty()
        && named.value().isEmpty()
        && (Map.class.isAssignableFrom(parameter.getType())
            || MultiValueMap.class.isAssignableFrom(parameter.getType()));
  }
}
