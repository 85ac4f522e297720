/**
 * Two devices compared, each after an event: of two snapshots, or of one snapshot at two moments.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li><em>Before</em> and <em>after</em> are the first and the second {@link
 *       dev.vramscope.analysis.diff.DeviceMoment}, in the order in which they are given. A
 *       difference is after minus before.
 *   <li>The snapshots have stack tables of their own, so that the same number means different
 *       frames. Frames are compared by value: function, file and line.
 *   <li>The rows of a comparison add up to the difference of the active bytes exactly; those that
 *       are left out are counted and summed.
 * </ul>
 */
@NullMarked
package dev.vramscope.analysis.diff;

import org.jspecify.annotations.NullMarked;
