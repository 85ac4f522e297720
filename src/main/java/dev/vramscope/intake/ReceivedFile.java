package dev.vramscope.intake;

import dev.vramscope.store.files.SpoolFile;

/**
 * A completely received file.
 *
 * @param spooled the file in the spool, zstd-compressed
 * @param format the detected format
 * @param sha256 of the uncompressed file, in hex
 * @param bytes of the uncompressed file
 */
record ReceivedFile(SpoolFile spooled, SniffedFormat format, String sha256, long bytes) {}
