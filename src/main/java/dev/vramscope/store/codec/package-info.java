/**
 * Encodes the model as compressed columns.
 *
 * <p>A snapshot becomes a number of <em>blobs</em>, each with a {@link
 * dev.vramscope.store.codec.BlobKey}: one head, chunks of 64 Ki frames and of 64 Ki stack nodes,
 * and for each device chunks of segments, chunks of 64 Ki events, and one blob of sparse columns.
 *
 * <pre>
 *   blob     version (1) · CRC-32C of the rest (4) · uncompressed length (4) · zstd frame
 *   numbers  little-endian in the header; varints in the columns, which follow one another
 * </pre>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Decoding returns the encoded snapshot, column by column.
 *   <li>Chunks of events are independent: no chunk is needed to decode another one.
 *   <li>A damaged blob is rejected as a whole, with its key.
 *   <li>The codes of {@link dev.vramscope.store.codec.BlobPart}, the codes of enum constants in
 *       columns and the order of columns belong to the format version and never change within it.
 * </ul>
 */
@NullMarked
package dev.vramscope.store.codec;

import org.jspecify.annotations.NullMarked;
