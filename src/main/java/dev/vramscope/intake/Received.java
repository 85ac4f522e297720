package dev.vramscope.intake;

import dev.vramscope.store.SpoolFile;

/**
 * A file that arrived whole.
 *
 * @param packed where it lies, zstd-compressed
 * @param format what it is
 * @param sha256 of the unpacked file, in hex
 * @param bytes of the unpacked file
 */
record Received(SpoolFile packed, SniffedFormat format, String sha256, long bytes) {}
