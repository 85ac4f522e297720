package dev.vramscope.compiled.scaling;

/** Programs from which nothing can be predicted; the message says which and why, for a page. */
public final class ProgramsRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String advice;

  ProgramsRefusedException(String problem, String advice) {
    super(problem);
    this.advice = advice;
  }

  /** What to do instead, as a sentence. */
  public String advice() {
    return advice;
  }
}
