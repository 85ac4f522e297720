package dev.vramscope.cli.arguments;

/** Invalid arguments; the message contains the usage if that explains them. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String usage;

  public UsageException(String problem) {
    super(problem);
    this.problem = problem;
    usage = "";
  }

  /** Invalid arguments that the usage of the command explains. */
  public UsageException(String problem, Description command) {
    super(problem + "\n" + command.usage());
    this.problem = problem;
    usage = command.usage();
  }

  /** What is wrong, in one line. */
  public String problem() {
    return problem;
  }

  /** The usage; empty if it explains nothing. */
  public String usage() {
    return usage;
  }
}
