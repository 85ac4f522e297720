package dev.vramscope.store.listing;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A received file to be stored.
 *
 * @param name display name
 * @param tags the tags given at the upload
 * @param sha256 of the uncompressed file, in lower-case hex
 * @param bytes length of the uncompressed file
 * @param compressed the zstd-compressed file in the spool; the caller deletes it
 * @param peakBytes the sum of the devices' peaks of the active bytes; null without a trace
 * @param findingCount findings about data that are missing or contradictory in the file
 */
public record Upload(
    String name,
    Tags tags,
    String sha256,
    long bytes,
    Path compressed,
    @Nullable Long peakBytes,
    int findingCount) {}
