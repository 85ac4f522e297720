package dev.vramscope.compiled;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which arguments are donated, so that an output is written to their memory, and which could be.
 *
 * @param candidates arguments with the type and the shape of an output that has memory of its own
 * @param isKnown whether a file says what is donated
 */
public record Donations(List<Argument> donated, List<Argument> candidates, boolean isKnown) {
  /**
   * An argument.
   *
   * @param number its place in the list of arguments, from 0
   * @param name of the parameter; may be empty
   */
  public record Argument(int number, String name, String shape, long bytes) {}

  private record Output(ArrayShape shape, boolean isAliased) {}

  public Donations {
    donated = List.copyOf(donated);
    candidates = List.copyOf(candidates);
  }

  public static Donations of(CompiledProgram program) {
    Map<Integer, String> names = names(program);
    Map<Integer, Argument> arguments = new HashMap<>();
    List<Output> outputs = new ArrayList<>();
    Set<Integer> donated = new HashSet<>();
    boolean isKnown = program.text().isPresent() && !program.text().get().outputs().isEmpty();
    if (isKnown) {
      ProgramText text = program.text().get();
      for (int i = 0; i < text.arguments().size(); i++) {
        add(arguments, i, text.arguments().get(i), names);
      }
      for (int i = 0; i < text.outputs().size(); i++) {
        boolean isAliased = text.aliases().containsKey(i);
        ArrayShape.of(text.outputs().get(i))
            .ifPresent(shape -> outputs.add(new Output(shape, isAliased)));
      }
      donated.addAll(text.aliases().values());
    } else {
      ofAllocations(program, names, arguments, outputs, donated);
    }
    return new Donations(
        sorted(
            arguments.values().stream().filter(each -> donated.contains(each.number())).toList()),
        sorted(candidates(arguments, outputs, donated)),
        isKnown || program.hasAssignment());
  }

  private static void ofAllocations(
      CompiledProgram program,
      Map<Integer, String> names,
      Map<Integer, Argument> arguments,
      List<Output> outputs,
      Set<Integer> donated) {
    for (ProgramAllocation allocation : program.allocations()) {
      if (allocation.use().isOfCaller()) {
        add(arguments, allocation.parameter(), allocation.shape(), names);
        if (allocation.use() == AllocationUse.ALIASED) {
          donated.add(allocation.parameter());
        }
      } else if (allocation.use() == AllocationUse.OUTPUT) {
        allocation.buffers().stream()
            .filter(buffer -> buffer.bytes() == allocation.bytes())
            .findFirst()
            .flatMap(buffer -> ArrayShape.of(buffer.shape()))
            .ifPresent(shape -> outputs.add(new Output(shape, false)));
      }
    }
  }

  private static void add(
      Map<Integer, Argument> arguments, int number, String shape, Map<Integer, String> names) {
    ArrayShape.of(shape)
        .ifPresent(
            known ->
                arguments.put(
                    number,
                    new Argument(
                        number, names.getOrDefault(number, ""), known.label(), known.bytes())));
  }

  /** The names of arguments by number: that of the first allocation of each with a buffer. */
  private static Map<Integer, String> names(CompiledProgram program) {
    Map<Integer, String> names = new HashMap<>();
    for (ProgramAllocation allocation : program.allocations()) {
      if (!allocation.buffers().isEmpty() && !names.containsKey(allocation.parameter())) {
        names.put(allocation.parameter(), name(program, allocation));
      }
    }
    return names;
  }

  /** The name of the parameter that an argument is; empty if the text of the program lacks it. */
  private static String name(CompiledProgram program, ProgramAllocation allocation) {
    for (ProgramBuffer buffer : allocation.buffers()) {
      Optional<ProgramInstruction> parameter =
          program
              .instruction(buffer.instruction())
              .filter(known -> known.opcode().equals("parameter"));
      if (parameter.isPresent()) {
        String operation = parameter.get().operation();
        return operation.isEmpty() ? buffer.instruction() : operation;
      }
    }
    return "";
  }

  /** Each output can take the memory of one argument. */
  private static List<Argument> candidates(
      Map<Integer, Argument> arguments, List<Output> outputs, Set<Integer> donated) {
    List<Argument> candidates = new ArrayList<>();
    Map<String, Integer> free = new HashMap<>();
    outputs.stream()
        .filter(output -> !output.isAliased())
        .forEach(output -> free.merge(output.shape().label(), 1, Integer::sum));
    arguments.values().stream()
        .filter(each -> !donated.contains(each.number()) && each.bytes() > 0)
        .sorted(Comparator.comparingInt(Argument::number))
        .forEach(
            each -> {
              int left = free.getOrDefault(each.shape(), 0);
              if (left > 0) {
                free.put(each.shape(), left - 1);
                candidates.add(each);
              }
            });
    return candidates;
  }

  private static List<Argument> sorted(List<Argument> arguments) {
    return arguments.stream()
        .sorted(
            Comparator.comparingLong(Argument::bytes).reversed().thenComparingInt(Argument::number))
        .toList();
  }

  public long donatedBytes() {
    return donated.stream().mapToLong(Argument::bytes).sum();
  }

  public long candidateBytes() {
    return candidates.stream().mapToLong(Argument::bytes).sum();
  }
}
