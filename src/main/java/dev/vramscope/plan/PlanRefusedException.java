package dev.vramscope.plan;

/** Recordings from which nothing can be planned; the message says why, for a page. */
public final class PlanRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String advice;

  PlanRefusedException(String problem, String advice) {
    super(problem);
    this.advice = advice;
  }

  /** What to do instead, as a sentence. */
  public String advice() {
    return advice;
  }
}
