package dev.vramscope.live.workload;

/** How far a run has come. Only the first state is not the last. */
public sealed interface WorkloadState {
  /** It works. */
  record Running() implements WorkloadState {}

  /** It has done all its steps. */
  record Done() implements WorkloadState {}

  /** Somebody stopped it. */
  record Stopped() implements WorkloadState {}

  /**
   * It could not go on.
   *
   * @param reason with the step
   */
  record Failed(String reason) implements WorkloadState {}

  default boolean isRunning() {
    return this instanceof Running;
  }
}
