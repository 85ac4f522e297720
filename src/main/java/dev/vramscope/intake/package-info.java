/**
 * From a stream of bytes that anybody may send to a stored snapshot.
 *
 * <p>The ladder of {@link dev.vramscope.intake.Intake#accept}: <em>receive</em> (limits, at most
 * one {@link dev.vramscope.intake.Envelope} of compression, hash, into the spool),
 * <em>recognise</em> (from the bytes, never from the name), <em>read</em> into the model,
 * <em>store</em>. Laws:
 *
 * <ul>
 *   <li>Memory is bounded by what this process has, never by what is uploaded: a body goes to the
 *       spool first, and only so many files are read into the model at once as fit the heap. Nobody
 *       waits for the network while holding that room.
 *   <li>A file is read to its end before anything is stored; whatever goes wrong before leaves
 *       nothing behind.
 *   <li>Nothing from an upload becomes a path, and no text from one reaches the log unescaped.
 * </ul>
 */
@NullMarked
package dev.vramscope.intake;

import org.jspecify.annotations.NullMarked;
