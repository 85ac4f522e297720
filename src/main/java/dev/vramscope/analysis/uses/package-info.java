/**
 * What each allocation is used for.
 *
 * <ul>
 *   <li>A <em>use</em>, such as parameters or activations, is what an allocation is for. Files do
 *       not contain it: it is estimated from the frames of the stack, from the lifetime and, for
 *       gradients and checkpoints, from the size; unless the program has declared it in the
 *       metadata of the event.
 *   <li>One use is named for an allocation, wherever it is shown: budget, sites, plan, timeline.
 *   <li>What nothing identifies stays in {@link dev.vramscope.analysis.uses.Use#OTHER} or {@link
 *       dev.vramscope.analysis.uses.Use#NO_STACK}.
 * </ul>
 */
@NullMarked
package dev.vramscope.analysis.uses;

import org.jspecify.annotations.NullMarked;
