package dev.vramscope.live.workload;

/** The state of a run. A run starts as {@link Running}; every other state is final. */
public sealed interface WorkloadState {
  /** It is executing steps, or about to. */
  record Running() implements WorkloadState {}

  /** It completed all its steps. */
  record Done() implements WorkloadState {}

  /** It was stopped, by request or because its allocator was closed. */
  record Stopped() implements WorkloadState {}

  /**
   * It ended with a failure.
   *
   * @param reason the error message, with the number of the step
   */
  record Failed(String reason) implements WorkloadState {}

  /** The identifier in REST responses. */
  default String id() {
    return switch (this) {
      case Running _ -> "running";
      case Done _ -> "done";
      case Stopped _ -> "stopped";
      case Failed _ -> "failed";
    };
  }

  default boolean isRunning() {
    return this instanceof Running;
  }
}
