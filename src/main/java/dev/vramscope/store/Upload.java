package dev.vramscope.store;

import java.nio.file.Path;

/**
 * A received file, ready to be stored.
 *
 * @param name what the uploader called it
 * @param tags what the uploader said about it
 * @param sha256 of the uncompressed file, in lower-case hex
 * @param bytes of the uncompressed file
 * @param packed the file, zstd-compressed, in the spool; it stays its owner's to delete
 */
public record Upload(String name, Tags tags, String sha256, long bytes, Path packed) {}
