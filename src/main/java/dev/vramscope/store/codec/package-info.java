/**
 * The model as compressed columns.
 *
 * <p>A snapshot becomes a handful of <em>blobs</em>, each named by a {@link
 * dev.vramscope.store.codec.BlobKey}: one head, chunks of 64 Ki frames, stack nodes, and for every
 * device chunks of segments and of 64 Ki events, and one blob of rare things.
 *
 * <pre>
 *   blob     version (1) · CRC-32C of all that follows (4) · raw length (4) · zstd frame
 *   numbers  little-endian; inside the frame columns one after the other, of varints
 * </pre>
 *
 * <p>Laws:
 *
 * <ul>
 *   <li>Decoding gives what was encoded, column by column.
 *   <li>Chunks of events stand alone: no chunk needs another one to be decoded.
 *   <li>A damaged blob is refused by its name; nothing is decoded from it.
 *   <li>The numbers of {@link dev.vramscope.store.codec.Part}, of enum constants in columns and the
 *       order of columns belong to the format version and never change within it.
 * </ul>
 */
@NullMarked
package dev.vramscope.store.codec;

import org.jspecify.annotations.NullMarked;
