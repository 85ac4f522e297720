/**
 * Why a request failed, from the state of the allocator at that moment.
 *
 * <p>The nouns and their laws:
 *
 * <ul>
 *   <li>A {@link dev.vramscope.postmortem.OomReport} belongs to one failed (or hypothetical)
 *       request.
 *   <li>Every free block of the device at that moment appears once, with the {@link
 *       dev.vramscope.postmortem.Rejection} that kept it from serving the request.
 *   <li>A {@link dev.vramscope.postmortem.Verdict} says how certain it is, and why when it is not.
 * </ul>
 */
@NullMarked
package dev.vramscope.postmortem;

import org.jspecify.annotations.NullMarked;
