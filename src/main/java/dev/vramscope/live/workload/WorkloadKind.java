package dev.vramscope.live.workload;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The workloads there are. */
public enum WorkloadKind {
  TRAINING_FIXED("A training loop with the same shapes in every step."),
  TRAINING_VARYING("A training loop whose batch and sequence length change from step to step."),
  INFERENCE_KV_CACHE("Requests come and go; each one's key-value cache grows by a token a step."),
  LEAK("A loop that keeps a few blocks of every step, until nothing is left."),
  CROSS_STREAM("One stream produces, another consumes, and each use is recorded."),
  CROSS_STREAM_UNRECORDED(
      "The same with the bug: uses are not recorded, so blocks are reused too early."),
  INPUT_PIPELINE(
      "A data loader: batches are staged in pinned host memory and copied to the device."),
  FRAGMENTER("An adversary: leaves holes that the next sizes do not fit in."),
  REPLAY_SNAPSHOT("The trace of a stored snapshot: does that job's memory fit here?");

  private final String description;

  WorkloadKind(String description) {
    this.description = description;
  }

  /** The name in requests and answers. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** One sentence. */
  public String description() {
    return description;
  }

  /**
   * The workload of that name.
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
                        + "'; there are "
                        + Arrays.stream(values())
                            .map(WorkloadKind::id)
                            .collect(Collectors.joining(", "))
                        + "."));
  }
}
