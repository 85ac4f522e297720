package dev.vramscope.live.workload;

/** The parameters of a workload are invalid. */
public final class InvalidWorkloadException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String parameter;

  InvalidWorkloadException(String parameter, String message) {
    super(message);
    this.parameter = parameter;
  }

  /** The invalid parameter of the {@link WorkloadRequest}. */
  public String parameter() {
    return parameter;
  }
}
