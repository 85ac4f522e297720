package dev.vramscope.compiled;

/**
 * A value of the program in an allocation.
 *
 * @param instruction the instruction that defines it
 * @param index which part of the instruction's result it is: {@code {}} or {@code {1}}
 * @param offset from the beginning of the allocation, in bytes
 * @param shape with its layout, as XLA writes it
 */
public record ProgramBuffer(
    String instruction, String index, long bytes, long offset, String shape) {
  /** The name by which live ranges refer to it. */
  public String key() {
    return instruction + index;
  }

  /** The first offset after it. */
  public long end() {
    return offset + bytes;
  }
}
