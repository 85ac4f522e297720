/**
 * What follows from a snapshot: pure functions of the model, without a clock, I/O or HTML.
 *
 * <p>The nouns and their laws:
 *
 * <ul>
 *   <li>An <em>allocation</em> is a row of {@link dev.vramscope.analysis.Lifetimes}: an address
 *       from the event that handed it out to the event that took it back. Addresses are used again,
 *       so an address alone names nothing.
 *   <li>A moment is written as an event number and means <em>after</em> that event; {@link
 *       dev.vramscope.analysis.Lifetimes#BEFORE_RECORDING} is the moment before the first one.
 *   <li>The final state is the truth that the trace is walked back from; what was alive before the
 *       first event has no allocation event and is counted all the same.
 *   <li>Over time, <em>active</em> bytes are counted in requested size, since that is what a trace
 *       records. In one state, bytes are those of the blocks, rounded up.
 *   <li>A ledger's rows add up to its total. What cannot be known carries its reason; it is never
 *       0.
 * </ul>
 */
@NullMarked
package dev.vramscope.analysis;

import org.jspecify.annotations.NullMarked;
