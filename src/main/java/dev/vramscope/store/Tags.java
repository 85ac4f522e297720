package dev.vramscope.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an uploader says about a snapshot, for finding it again.
 *
 * @param job the training job
 * @param rank which process of the job, as text: some programs name them
 * @param host the machine
 * @param step the training step
 * @param labels free words, each once
 */
public record Tags(
    @Nullable String job,
    @Nullable String rank,
    @Nullable String host,
    @Nullable Long step,
    List<String> labels) {
  /** Nothing said. */
  public static final Tags NONE = new Tags(null, null, null, null, List.of());

  public Tags {
    labels = labels.stream().distinct().toList();
  }

  /** These tags, with those that {@code given} has in place of the ones here. */
  public Tags replacedBy(Tags given) {
    return new Tags(
        given.job == null ? job : given.job,
        given.rank == null ? rank : given.rank,
        given.host == null ? host : given.host,
        given.step == null ? step : given.step,
        given.labels.isEmpty() ? labels : given.labels);
  }
}
