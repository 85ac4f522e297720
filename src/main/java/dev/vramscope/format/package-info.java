/**
 * The door for files: every shape of every producer, old and new, becomes a {@link
 * dev.vramscope.model.Snapshot} here or is refused here.
 *
 * <p>Laws:
 *
 * <ul>
 *   <li>A reader takes the uncompressed stream, reads it once and to its end, and keeps memory in
 *       proportion to what has really arrived: no number in a file decides how much is allocated.
 *   <li>A file is accepted whole or refused whole. A refusal is a {@link
 *       dev.vramscope.format.FormatException} that says what, where (byte offset, path) and what
 *       next; nothing else is thrown for a bad file. An {@link java.io.IOException} of the stream
 *       passes through: a cut-off upload is not a bad file.
 *   <li>Wrong structure is refused; a loss that numbers survive becomes a {@link
 *       dev.vramscope.model.Finding} with its count.
 * </ul>
 */
@NullMarked
package dev.vramscope.format;

import org.jspecify.annotations.NullMarked;
