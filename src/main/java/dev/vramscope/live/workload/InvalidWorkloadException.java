package dev.vramscope.live.workload;

/** A workload was asked for in a way that makes no sense. */
public final class InvalidWorkloadException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String member;

  InvalidWorkloadException(String member, String sentence) {
    super(sentence);
    this.member = member;
  }

  /** The part of the {@link WorkloadRequest} that is wrong. */
  public String member() {
    return member;
  }
}
