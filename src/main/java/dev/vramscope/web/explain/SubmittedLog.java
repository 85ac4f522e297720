package dev.vramscope.web.explain;

import dev.vramscope.explain.LogExcerpt;
import dev.vramscope.explain.LogExplanation;
import dev.vramscope.store.listing.StoredSnapshot;
import java.util.Optional;

/**
 * A log that was submitted, and what it says.
 *
 * @param stored where it is kept; empty if it is not
 * @param existed whether the same log was kept before, with the name and tags of then
 * @param notStored why it is not, in a sentence; empty if it is, or if it was not to be
 */
record SubmittedLog(
    LogExcerpt log,
    LogExplanation explanation,
    Optional<StoredSnapshot> stored,
    boolean existed,
    Optional<String> notStored) {}
