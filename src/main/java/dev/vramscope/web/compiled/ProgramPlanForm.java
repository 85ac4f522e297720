package dev.vramscope.web.compiled;

import dev.vramscope.compiled.scaling.ProgramPlan;
import dev.vramscope.compiled.scaling.SizedProgram;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.SizeParameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The parameters of a plan from compiled programs, which its URL contains.
 *
 * @param programs as entered: {@code ID:NUMBER}, or {@code ID} for the programs of an upload that
 *     have the name of the first, up to numbers
 * @param values of each program, as entered; a program without one is left out
 * @param name of the parameter; empty if it is not given
 * @param at values that are asked, as entered, separated by commas
 * @param memory that is available, as entered
 * @param others of it, held beside the program, as entered
 * @param isChoosing whether programs are to be chosen first
 */
record ProgramPlanForm(
    List<String> programs,
    List<String> values,
    String name,
    String at,
    String memory,
    String others,
    boolean isChoosing) {
  private static final int MOST_ASKED = 32;
  private static final String NAME = "[A-Za-z][A-Za-z0-9_ .-]{0,39}";

  ProgramPlanForm {
    programs = List.copyOf(programs);
    values = List.copyOf(values);
  }

  static ProgramPlanForm of(MultiValueMap<String, String> parameters) {
    List<String> programs =
        parameters.getOrDefault("program", List.of()).stream()
            .filter(each -> each != null && !each.isBlank())
            .map(String::strip)
            .toList();
    if (programs.size() > ProgramPlan.MOST_PROGRAMS) {
      throw RefusedRequestException.badParameter(
          "program", programs.size() + " programs", "2 to " + ProgramPlan.MOST_PROGRAMS);
    }
    programs.stream()
        .filter(each -> Collections.frequency(programs, each) > 1)
        .findFirst()
        .ifPresent(
            twice -> {
              throw RefusedRequestException.badParameter(
                  "program", twice + " more than once", "each program once, with its own value");
            });
    String name = text(parameters, "name");
    if (!name.isEmpty() && !name.matches(NAME)) {
      throw RefusedRequestException.badParameter(
          "name",
          "not valid",
          "a letter, then up to 39 letters, digits, spaces, '_', '-' and '.', such as batch");
    }
    return new ProgramPlanForm(
        programs,
        parameters.getOrDefault("value", List.of()).stream()
            .map(each -> each == null ? "" : each.strip())
            .toList(),
        name,
        text(parameters, "at"),
        text(parameters, "memory"),
        text(parameters, "others"),
        parameters.containsKey("choose"));
  }

  private static String text(MultiValueMap<String, String> parameters, String name) {
    String value = parameters.getFirst(name);
    return value == null ? "" : value.strip();
  }

  /** Whether a value of some program is given. */
  boolean hasValues() {
    return values.stream().anyMatch(each -> !each.isEmpty());
  }

  /** The same with programs, values and a name that were found. */
  ProgramPlanForm with(List<String> found, List<String> theirValues, String theirName) {
    return new ProgramPlanForm(found, theirValues, theirName, at, memory, others, isChoosing);
  }

  /** The value of a program; empty if it is left out. */
  OptionalLong value(int program) {
    String entered = enteredValue(program);
    return entered.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(wholeNumber("value", entered));
  }

  /** As it was entered. */
  public String enteredValue(int program) {
    return program < values.size() ? values.get(program) : "";
  }

  /** The values that are asked; empty if none is given. */
  List<Long> askedValues() {
    List<Long> asked = new ArrayList<>();
    for (String each : Arrays.stream(at.split(",")).map(String::strip).toList()) {
      if (!each.isEmpty()) {
        asked.add(wholeNumber("at", each));
      }
    }
    if (asked.size() > MOST_ASKED) {
      throw RefusedRequestException.badParameter(
          "at", asked.size() + " values", "up to " + MOST_ASKED);
    }
    return asked.stream().distinct().sorted().toList();
  }

  /** The memory that is available; null if it is not given. */
  @Nullable Long memoryBytes() {
    OptionalLong bytes = SizeParameter.of("memory", memory);
    return bytes.isPresent() ? (Long) bytes.getAsLong() : null;
  }

  /** What is held beside the program. */
  long othersBytes() {
    long bytes = others.equals("0") ? 0 : SizeParameter.of("others", others).orElse(0);
    Long available = memoryBytes();
    if (available != null && bytes >= available) {
      throw RefusedRequestException.badParameter(
          "others", "'" + others + "'", "less than the memory that is available");
    }
    return bytes;
  }

  private static long wholeNumber(String parameter, String text) {
    if (text.matches("[0-9]{1,10}")) {
      long value = Long.parseLong(text);
      if (value >= 1 && value <= SizedProgram.MOST_VALUE) {
        return value;
      }
    }
    throw RefusedRequestException.badParameter(
        parameter,
        "'" + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + "'",
        "whole numbers from 1 to " + SizedProgram.MOST_VALUE);
  }
}
