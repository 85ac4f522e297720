package dev.vramscope.compiled;

import java.util.List;
import java.util.Map;

/**
 * The program itself.
 *
 * @param module its name
 * @param arguments shapes of the arguments, by number
 * @param outputs shapes of the outputs, by number; parts of tuples one by one
 * @param aliases the argument that each aliased output is written to, both by number
 * @param instructions by name
 */
public record ProgramText(
    String module,
    List<String> arguments,
    List<String> outputs,
    Map<Integer, Integer> aliases,
    Map<String, ProgramInstruction> instructions) {
  public ProgramText {
    arguments = List.copyOf(arguments);
    outputs = List.copyOf(outputs);
    aliases = Map.copyOf(aliases);
  }
}
