package dev.vramscope.web.explain;

import dev.vramscope.explain.LogExcerpt;
import dev.vramscope.explain.LogExplanation;
import dev.vramscope.store.listing.StoredSnapshot;
import java.util.Optional;

/**
 * A log that was submitted, and what it says.
 *
 * @param stored where it is kept; empty if it is not
 * @param existed whether the same log was kept before it was submitted, with the name and tags of
 *     then
 * @param notStored why it is not, in a sentence; empty if it is, or if it was not to be
 */
record SubmittedLog(
    LogExcerpt log,
    LogExplanation explanation,
    Optional<StoredSnapshot> stored,
    boolean existed,
    Optional<String> notStored) {
  /** One that is not kept, and was not to be. */
  static SubmittedLog unkept(LogExcerpt log, LogExplanation explanation) {
    return new SubmittedLog(
        log, explanation, Optional.empty(), /* existed= */ false, Optional.empty());
  }

  /** Where its page is, in a service with an address; empty if it is not kept. */
  Optional<String> url(String service) {
    return stored.map(row -> service + "/logs/" + row.id());
  }

  /** Where it is kept, or why it is not; empty if it was not to be. */
  Optional<String> keptText(String service) {
    return url(service)
        .map(url -> (existed ? "the same log was kept before, at " : "kept at ") + url)
        .or(() -> notStored.map("not kept: "::concat));
  }
}
