/**
 * Why a request failed: the state of the allocator at that moment, what would have served the
 * request, and the rule that follows.
 *
 * <ul>
 *   <li>A {@link dev.vramscope.postmortem.cause.Verdict} is certain only if nothing that is unknown
 *       could change it.
 *   <li>{@link dev.vramscope.postmortem.cause.CauseRule} chooses the cause; {@code
 *       docs/verdicts.md} explains it.
 * </ul>
 */
@NullMarked
package dev.vramscope.postmortem.cause;

import org.jspecify.annotations.NullMarked;
