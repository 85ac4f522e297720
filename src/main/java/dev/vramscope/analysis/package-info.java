/**
 * Analyses of a snapshot: pure functions of the model, without a clock, I/O or HTML.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>An <em>allocation</em> is a row of {@link dev.vramscope.analysis.lifetimes.Lifetimes}: an
 *       address from its allocation event to the event that frees it. Addresses are reused, so an
 *       address alone does not identify an allocation.
 *   <li>A moment is an event number and means <em>after</em> that event; {@link
 *       dev.vramscope.analysis.lifetimes.Lifetimes#BEFORE_RECORDING} is the moment before the first
 *       event.
 *   <li>Earlier states are reconstructed backwards from the final state. Allocations that were live
 *       before the first event have no allocation event, but are counted like all others.
 *   <li>Over time, <em>active</em> bytes are requested bytes, the size that a trace records. In a
 *       single state, bytes are block sizes, rounded up.
 *   <li>The rows of a ledger add up to its total. An unknown amount has a reason; it is never 0.
 * </ul>
 */
@NullMarked
package dev.vramscope.analysis;

import org.jspecify.annotations.NullMarked;
