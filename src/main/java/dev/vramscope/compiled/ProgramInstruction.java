package dev.vramscope.compiled;

import java.util.List;

/**
 * An instruction of the program.
 *
 * @param shape of its result
 * @param operation the path of the operation in the source program, such as {@code
 *     jit(step)/Dense_0/dot_general}; may be empty
 * @param source the lines of code that made it, innermost first: {@code function file:line}; may be
 *     empty
 */
public record ProgramInstruction(
    String shape, String opcode, String operation, List<String> source) {
  /** The label of parameters of computations inside the program. */
  public static final String STATE = "state of loops and branches";

  public ProgramInstruction {
    source = List.copyOf(source);
  }
}
