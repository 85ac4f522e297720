/**
 * Reads and writes snapshot files. Files of every supported producer and release become a {@link
 * dev.vramscope.model.Snapshot} or are rejected.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A reader takes the uncompressed stream, reads it once and to its end, and uses memory in
 *       proportion to the bytes that have arrived: no length in a file determines an allocation.
 *   <li>A file is accepted or rejected as a whole. A {@link dev.vramscope.format.FormatException}
 *       gives the problem, the location (byte offset, path) and the next step; no other exception
 *       is thrown for a malformed file. An {@link java.io.IOException} of the stream is propagated:
 *       an interrupted upload is not a malformed file.
 *   <li>A wrong structure is rejected; missing or inconsistent data that leave the numbers usable
 *       become a {@link dev.vramscope.model.finding.Finding} with a count.
 * </ul>
 */
@NullMarked
package dev.vramscope.format;

import org.jspecify.annotations.NullMarked;
