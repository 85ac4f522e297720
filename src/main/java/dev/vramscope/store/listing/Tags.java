package dev.vramscope.store.listing;

import java.util.List;
import java.util.stream.Stream;
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

  /** These tags, with those of {@code others} that are not set here; labels are united. */
  public Tags withMissing(Tags others) {
    return new Tags(
        job == null ? others.job : job,
        rank == null ? others.rank : rank,
        host == null ? others.host : host,
        step == null ? others.step : step,
        Stream.concat(labels.stream(), others.labels.stream()).toList());
  }
}
