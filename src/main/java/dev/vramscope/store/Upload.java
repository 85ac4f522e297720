package dev.vramscope.store;

import java.nio.file.Path;

/**
 * A received file to be stored.
 *
 * @param name the file name given at the upload
 * @param tags the tags given at the upload
 * @param sha256 of the uncompressed file, in lower-case hex
 * @param bytes length of the uncompressed file
 * @param compressed the zstd-compressed file in the spool; the caller deletes it
 */
public record Upload(String name, Tags tags, String sha256, long bytes, Path compressed) {}
