package dev.vramscope.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Metadata given at the upload of a snapshot, for searching.
 *
 * @param job the training job
 * @param rank the process of the job; text, because some programs use names
 * @param host the machine
 * @param step the training step
 * @param labels free-form labels without duplicates
 */
public record Tags(
    @Nullable String job,
    @Nullable String rank,
    @Nullable String host,
    @Nullable Long step,
    List<String> labels) {
  /** No tags. */
  public static final Tags NONE = new Tags(null, null, null, null, List.of());

  public Tags {
    labels = labels.stream().distinct().toList();
  }

  /** These tags, replaced by those that {@code given} has. */
  public Tags replacedBy(Tags given) {
    return new Tags(
        given.job == null ? job : given.job,
        given.rank == null ? rank : given.rank,
        given.host == null ? host : given.host,
        given.step == null ? step : given.step,
        given.labels.isEmpty() ? labels : given.labels);
  }
}
