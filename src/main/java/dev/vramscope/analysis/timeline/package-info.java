/**
 * Events over time: the picture of active memory, filtered events, ranges, groups that have a
 * colour.
 *
 * <ul>
 *   <li>A picture has a bounded number of rectangles, whatever the number of events.
 * </ul>
 */
@NullMarked
package dev.vramscope.analysis.timeline;

import org.jspecify.annotations.NullMarked;
