package dev.vramscope.web.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the names of files say about the parameters of a program: {@code batch2_length512.pickle}
 * and {@code batch3_length512.pickle} differ in batch.
 *
 * @param name of the parameters that differ, separated by commas; batch if none does
 * @param values by file, separated by commas; empty if they are not known
 */
public record ParametersInNames(String name, List<String> values) {
  private static final Pattern PARAMETER = Pattern.compile("([A-Za-z]+)[-_=]?(\\d{1,9})");
  private static final String USUAL = "batch";

  public ParametersInNames {
    values = List.copyOf(values);
  }

  /** The parameters of files, or of other things with names. */
  public static ParametersInNames of(List<String> files) {
    List<Map<String, String>> parametersOfFiles =
        files.stream().map(ParametersInNames::parameters).toList();
    List<String> differing = new ArrayList<>();
    for (String name : parametersOfFiles.getFirst().keySet()) {
      boolean isInAll = parametersOfFiles.stream().allMatch(each -> each.containsKey(name));
      long values = parametersOfFiles.stream().map(each -> each.get(name)).distinct().count();
      if (isInAll && values > 1) {
        differing.add(name);
      }
    }
    return differing.isEmpty()
        ? new ParametersInNames(USUAL, files.stream().map(_ -> "").toList())
        : new ParametersInNames(
            String.join(",", differing),
            parametersOfFiles.stream()
                .map(each -> String.join(",", differing.stream().map(each::get).toList()))
                .toList());
  }

  private static Map<String, String> parameters(String file) {
    Map<String, String> parameters = new LinkedHashMap<>();
    Matcher parameter = PARAMETER.matcher(file);
    while (parameter.find()) {
      parameters.putIfAbsent(parameter.group(1), parameter.group(2));
    }
    return parameters;
  }
}
