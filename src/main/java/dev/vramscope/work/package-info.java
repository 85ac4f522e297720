/**
 * Work that needs a processor for long: it takes turns, so that a server answers short requests
 * while it computes long ones.
 *
 * <p>Terms:
 *
 * <ul>
 *   <li>A <b>task</b> is one piece of heavy work of a client, and of one {@link WorkKind kind}.
 *   <li>A <b>turn</b> is the right to compute. There are fewer turns than processors. A task that
 *       has started waits, without its turn, for its client, and gives way to others at
 *       checkpoints.
 *   <li>Each kind has a <b>queue</b>, in which every client has a share. Turns go round the kinds,
 *       and in a kind round its clients.
 * </ul>
 *
 * <p>Laws: a task computes only while it has a turn; a kind has at most as many started tasks as it
 * permits; a task that is cancelled gives its turn back at its next checkpoint.
 */
@NullMarked
package dev.vramscope.work;

import org.jspecify.annotations.NullMarked;
