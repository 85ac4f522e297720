/**
 * The lifetimes of allocations and what follows from them alone.
 *
 * <ul>
 *   <li>A <em>lifetime</em> is one row of {@link dev.vramscope.analysis.lifetimes.Lifetimes}: an
 *       allocation from its first event to its last one, in the order of addresses and events.
 *   <li>{@link dev.vramscope.analysis.lifetimes.ActiveBytes} are the sums of those that are live
 *       after each event; {@link dev.vramscope.analysis.lifetimes.AllocatorState} are the segments
 *       and blocks then.
 * </ul>
 */
@NullMarked
package dev.vramscope.analysis.lifetimes;

import org.jspecify.annotations.NullMarked;
