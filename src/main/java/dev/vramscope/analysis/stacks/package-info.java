/**
 * The stacks of a snapshot: what their frames are, the call tree, flame graphs and the search.
 *
 * <ul>
 *   <li>A <em>site</em> is the frame that names a stack: the innermost one of the user's own code.
 * </ul>
 */
@NullMarked
package dev.vramscope.analysis.stacks;

import org.jspecify.annotations.NullMarked;
