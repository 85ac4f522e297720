/**
 * The memory of a device, divided so that the parts add up to the whole, and what is known of the
 * device besides the recording.
 *
 * <ul>
 *   <li>A row of a {@link dev.vramscope.analysis.ledger.Ledger} is a known number, a bound, or
 *       unknown; never zero instead of unknown.
 * </ul>
 */
@NullMarked
package dev.vramscope.analysis.ledger;

import org.jspecify.annotations.NullMarked;
