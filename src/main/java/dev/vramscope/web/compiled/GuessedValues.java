package dev.vramscope.web.compiled;

import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.scaling.SameFunction;
import dev.vramscope.web.plan.ParametersInNames;
import java.util.List;
import java.util.Optional;

/**
 * What names and arguments of programs say about the parameter that differs.
 *
 * @param values of the programs, as text; empty texts if they are not known
 * @param isOfArguments whether they are sizes of a dimension of an argument
 */
record GuessedValues(String name, List<String> values, boolean isOfArguments) {
  private static final String USUAL = "batch";

  GuessedValues {
    values = List.copyOf(values);
  }

  /** The names of the programs say it, or else their arguments, or else the names of uploads. */
  static GuessedValues of(List<ChosenProgram> programs) {
    return inNames(programs.stream().map(ChosenProgram::name).toList())
        .or(() -> ofArguments(programs.stream().map(ChosenProgram::program).toList()))
        .or(() -> inNames(programs.stream().map(each -> each.stored().name()).toList()))
        .orElseGet(() -> new GuessedValues(USUAL, programs.stream().map(_ -> "").toList(), false));
  }

  private static Optional<GuessedValues> ofArguments(List<CompiledProgram> programs) {
    return SameFunction.valuesOfArguments(programs)
        .map(
            values ->
                new GuessedValues(USUAL, values.stream().map(String::valueOf).toList(), true));
  }

  private static Optional<GuessedValues> inNames(List<String> names) {
    if (names.stream().anyMatch(name -> name.startsWith("program "))) {
      return Optional.empty();
    }
    ParametersInNames found =
        ParametersInNames.of(
            names.stream()
                .map(name -> name.replaceFirst("^module_\\d+\\.", ""))
                .map(name -> name.replaceAll("(?<=[A-Za-z])[ :]+(?=\\d)", "_"))
                .toList());
    boolean isUnambiguous =
        !found.name().contains(",")
            && found.values().stream().allMatch(value -> value.matches("0*[1-9]\\d{0,8}"))
            && found.values().stream().map(Long::valueOf).distinct().count() == names.size();
    return isUnambiguous
        ? Optional.of(
            new GuessedValues(
                found.name(),
                found.values().stream().map(value -> value.replaceFirst("^0+", "")).toList(),
                false))
        : Optional.empty();
  }
}
