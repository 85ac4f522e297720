package dev.vramscope.compiled;

/** The kinds of text about a compiled program, and what each adds. */
public enum ProgramFile {
  BUFFER_ASSIGNMENT(
      "buffer-assignment.txt", "the bytes of each use, and the offset and size of each buffer"),
  LIVE_RANGE(
      "live-range.txt", "when each buffer is needed: the packing map and what is live at the peak"),
  PROGRAM(
      "after_optimizations.txt",
      "the operation and the line of code of each buffer, and what is donated"),
  MEMORY_ANALYSIS("memory_analysis()", "the sums that the runtime reserves, as a check"),
  COST_ANALYSIS("cost_analysis()", "floating-point operations");

  private final String label;
  private final String adds;

  ProgramFile(String label, String adds) {
    this.label = label;
    this.adds = adds;
  }

  public String label() {
    return label;
  }

  /** What a page can say with it. */
  public String adds() {
    return adds;
  }
}
