package dev.vramscope.live.workload;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The available workloads. */
public enum WorkloadKind {
  TRAINING_FIXED("A training loop with the same shapes in every step."),
  TRAINING_VARYING("A training loop whose batch and sequence length change from step to step."),
  INFERENCE_KV_CACHE(
      "Requests arrive and leave; the key-value cache of each grows by one token per step."),
  LEAK("A loop that keeps a few blocks of every step, until memory runs out."),
  CROSS_STREAM("One stream produces, another consumes, and every use is recorded."),
  CROSS_STREAM_UNRECORDED(
      "Like cross-stream, with a bug: uses are not recorded, so blocks are reused too early."),
  INPUT_PIPELINE(
      "A data loader: batches are staged in pinned host memory and copied to the device."),
  FRAGMENTER("Causes fragmentation: leaves gaps that the next sizes do not fit."),
  REPLAY_SNAPSHOT("The trace of a stored snapshot: does the memory of that job fit here?");

  private final String description;

  WorkloadKind(String description) {
    this.description = description;
  }

  /** The identifier in requests and responses. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A sentence for users. */
  public String description() {
    return description;
  }

  /**
   * Returns the workload with this identifier.
   *
   * @throws InvalidWorkloadException if there is none
   */
  public static WorkloadKind of(String id) {
    return Arrays.stream(values())
        .filter(kind -> kind.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidWorkloadException(
                    "workload",
                    "There is no workload '"
                        + id
                        + "'; the workloads are "
                        + Arrays.stream(values())
                            .map(WorkloadKind::id)
                            .collect(Collectors.joining(", "))
                        + "."));
  }
}
