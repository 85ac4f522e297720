package dev.vramscope.compiled.scaling;

import dev.vramscope.compiled.ArrayShape;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.ProgramAllocation;
import dev.vramscope.compiled.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether programs are of one function, and at which values, from the shapes of their arguments.
 */
public final class SameFunction {
  private SameFunction() {}

  /**
   * The name of a program without numbers: {@code module_0028.jit_step_b8} is {@code jit_step_b}.
   */
  public static String nameWithoutNumbers(String program) {
    return program.replaceFirst("^module_\\d+\\.", "").replaceAll("\\d+", "");
  }

  /**
   * Refuses programs whose arguments differ in more than sizes of dimensions. Programs of which the
   * arguments are not known are not compared.
   */
  static void requireSameArguments(List<SizedProgram> programs) throws ProgramsRefusedException {
    SizedProgram first = null;
    for (SizedProgram each : programs) {
      Map<Integer, ArrayShape> arguments = arguments(each.program());
      if (arguments.isEmpty()) {
        continue;
      }
      first = first == null ? each : first;
      Map<Integer, ArrayShape> expected = arguments(first.program());
      if (!expected.keySet().equals(arguments.keySet())) {
        throw refused(
            first.name()
                + " has "
                + expected.size()
                + " arguments and "
                + each.name()
                + " has "
                + arguments.size());
      }
      for (Map.Entry<Integer, ArrayShape> argument : arguments.entrySet()) {
        ArrayShape shape = expected.get(argument.getKey());
        if (shape != null && !isSameButSizes(shape, argument.getValue())) {
          throw refused(
              "argument "
                  + argument.getKey()
                  + " is "
                  + shape.label()
                  + " in "
                  + first.name()
                  + " and "
                  + argument.getValue().label()
                  + " in "
                  + each.name());
        }
      }
    }
  }

  private static ProgramsRefusedException refused(String difference) {
    return new ProgramsRefusedException(
        "The programs are of different functions: " + difference,
        "Choose programs of one function that differ in the value of one parameter only.");
  }

  private static boolean isSameButSizes(ArrayShape one, ArrayShape other) {
    return one.type().equals(other.type()) && sizes(one).length == sizes(other).length;
  }

  private static long[] sizes(ArrayShape shape) {
    if (shape.dimensions().isEmpty()) {
      return new long[0];
    }
    String[] parts = shape.dimensions().split(",");
    long[] sizes = new long[parts.length];
    for (int i = 0; i < parts.length; i++) {
      sizes[i] = Long.parseLong(parts[i]);
    }
    return sizes;
  }

  /** Shapes by the number of the argument; without those that the texts do not state. */
  private static Map<Integer, ArrayShape> arguments(CompiledProgram program) {
    Map<Integer, ArrayShape> shapes = new TreeMap<>();
    for (ProgramAllocation allocation : program.allocations()) {
      if (allocation.parameter() >= 0) {
        ArrayShape.of(allocation.shape())
            .ifPresent(shape -> shapes.put(allocation.parameter(), shape));
      }
    }
    List<String> stated = program.text().map(ProgramText::arguments).orElse(List.of());
    for (int i = 0; shapes.isEmpty() && i < stated.size(); i++) {
      int number = i;
      ArrayShape.of(stated.get(i)).ifPresent(shape -> shapes.put(number, shape));
    }
    return shapes;
  }

  /**
   * The values that the arguments have: of the first dimension that is another in each program.
   * Empty if there is none, or the arguments are not known.
   */
  public static Optional<List<Long>> valuesOfArguments(List<CompiledProgram> programs) {
    List<Map<Integer, ArrayShape>> arguments =
        programs.stream().map(SameFunction::arguments).toList();
    for (int number : arguments.getFirst().keySet()) {
      int rank = rank(arguments, number);
      for (int dimension = 0; dimension < rank; dimension++) {
        List<Long> values = new ArrayList<>();
        for (Map<Integer, ArrayShape> each : arguments) {
          ArrayShape shape = each.get(number);
          if (shape != null) {
            values.add(sizes(shape)[dimension]);
          }
        }
        if (values.stream().distinct().count() == programs.size()) {
          return Optional.of(values);
        }
      }
    }
    return Optional.empty();
  }

  /** The rank of an argument; 0 if it is not the same in all programs. */
  private static int rank(List<Map<Integer, ArrayShape>> arguments, int number) {
    int rank = -1;
    for (Map<Integer, ArrayShape> each : arguments) {
      ArrayShape shape = each.get(number);
      int own = shape == null ? 0 : sizes(shape).length;
      if (rank >= 0 && own != rank) {
        return 0;
      }
      rank = own;
    }
    return Math.max(0, rank);
  }
}
