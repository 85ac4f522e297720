/**
 * Turns an uploaded file, which is untrusted, into a stored snapshot.
 *
 * <p>The steps of {@link dev.vramscope.intake.Intake#accept}: <em>receive</em> (limits, at most one
 * layer of compression ({@link dev.vramscope.intake.CompressionFormat}), hash, into the spool),
 * <em>detect</em> the format (from the bytes, never from the name), <em>read</em> into the model,
 * <em>store</em>. Invariants:
 *
 * <ul>
 *   <li>Memory is bounded by the heap of this process and not by the size of the uploads: a body is
 *       received into the spool first, and files are read into the model at the same time only as
 *       far as the heap allows. No thread waits for the network while it holds a reservation.
 *   <li>A file is read to its end before anything is stored; after a failure before that, nothing
 *       is stored.
 *   <li>Nothing from an upload becomes a path, and no text from an upload is logged unescaped.
 * </ul>
 */
@NullMarked
package dev.vramscope.intake;

import org.jspecify.annotations.NullMarked;
